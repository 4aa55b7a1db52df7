import type { Connection } from '#project/connection/connection.js';
import type { Reader } from '#service/client.js';

/** How many requests may be spent on comparing rows; nothing else is sent meanwhile. */
export interface RequestBudget {
  readonly left: () => number;
  /** Requests since it was opened. */
  readonly spent: () => number;
  /** Why rows are not compared if the budget is used up, and what allows more. */
  readonly over: string;
}

/** A budget of `most` requests, less those that the reader makes from now on. */
export function openBudget({ usage }: Pick<Reader, 'usage'>, most: number, over = ''): RequestBudget {
  const before = usage.used;
  const spent = (): number => usage.used - before;
  return { spent, over, left: () => Math.max(0, most - spent()) };
}

/** What an environment lets comparisons spend. */
type Limits = Pick<Connection, 'previewRequests' | 'keepRequests'> & { readonly client: Pick<Reader, 'usage'> };

/** A twentieth of the smallest daily quota (wire-facts 2). */
const MOST_REQUESTS = 50;

/** Who reads, and what lifts the limit. */
const USES = {
  plan: { who: 'a plan may spend on comparing rows', unlimited: ['use `--preview full`'] },
  data: { who: '`drift --data` may spend on comparing rows', unlimited: ['use `--data full`'] },
  inspect: { who: '`import inspect` may spend', unlimited: [] },
} as const;

/**
 * A budget of as many requests as the environment allows, without those that it keeps for others; by default 50, and at
 * most a tenth of those that are left today.
 */
export function smallBudget(limits: Limits, use: keyof typeof USES): RequestBudget {
  const { client, previewRequests } = limits;
  const { who, unlimited } = USES[use];
  const most = previewRequests ?? MOST_REQUESTS;
  const short = shortage(limits, most);
  const count = short === undefined ? `${most}` : `${short.most}${short.because}`;
  const isFree = short === undefined || previewRequests === undefined;
  const more = [...(isFree ? ['set `previewRequests` in the environment'] : []), ...unlimited].join(', or ');
  const why = `it would take more requests than ${who} (${count})`;
  return openBudget(client, short?.most ?? most, more === '' ? why : `${why}; ${more}`);
}

/** What the quota leaves, if that is less. */
function shortage({ client, previewRequests, keepRequests }: Limits, most: number) {
  const { remaining } = client.usage;
  if (remaining === null) return undefined;
  const [left, because] =
    previewRequests === undefined
      ? [Math.floor(remaining / 10), `, a tenth of the ${remaining} that are left today`]
      : [
          Math.max(0, remaining - keepRequests),
          `: ${remaining} are left today, and \`keepRequests\` reserves ${keepRequests}`,
        ];
  return left < most ? { most: left, because } : undefined;
}
