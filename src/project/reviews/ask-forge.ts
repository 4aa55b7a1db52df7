import { DexsyncError, reasonOf } from '#base/errors.js';
import { jsonIn } from '#core/model/json.js';
import type { Forge } from '#core/reviews/forges.js';
import type { Host } from '../host.js';

/** A project of a forge, and how requests to it are sent. */
export interface ForgeProject {
  readonly forge: Forge;
  readonly url: string;
  readonly token: string;
}

const TIMEOUT = 60_000;
/** More pages than any change has. */
const MOST_PAGES = 100;

/**
 * Reads a list, page by page, or one object. The client of the service is for a service with a login and a quota, so these
 * few reads use `fetch`. Throws NETWORK, and INTERRUPTED.
 */
export async function askForge(project: ForgeProject, path: string, host: Host): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await send(project, path, page, host);
    const value = jsonIn(await answer.text().catch((error: unknown) => fail(project, path, lost(error), host)));
    if (typeof value !== 'object' || value === null) return fail(project, path, 'was answered with no JSON.', host);
    found.push(...(Array.isArray(value) ? value : [value]));
    if (!/rel="?next/.test(answer.headers.get('link') ?? '')) return found;
  }
  return fail(project, path, `has more than ${MOST_PAGES} pages.`, host);
}

async function send(project: ForgeProject, path: string, page: number, host: Host): Promise<Response> {
  const { forge, url, token } = project;
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(host.timeout ?? TIMEOUT)]);
  const headers = { ...forge.headers(token), 'user-agent': 'dexsync' };
  // A redirect would take the token along.
  const options = { headers, signal, redirect: 'manual' } as const;
  const answer = await fetch(`${url}/${path}?per_page=100&page=${page}`, options).catch((error: unknown) =>
    fail(project, path, lost(error), host),
  );
  if (answer.status === 200) return answer;
  await answer.body?.cancel();
  const renewed = renewal(answer);
  if (renewed !== undefined)
    return fail(project, path, `was answered ${answer.status}: the requests of the token are used up${renewed}.`, host);
  return fail(project, path, `was answered ${answer.status}.`, host, rightHint(forge));
}

const lost = (error: unknown): string => `got no answer: ${reasonOf(error)}.`;

const rightHint = ({ name, token, right, place }: Forge): string =>
  `Check that ${token} may read the project on ${name} (${right}), and that ${place} names it.`;

/** When requests are possible again, for the end of a sentence; undefined if they were not refused for their number. */
function renewal({ status, headers }: Response): string | undefined {
  const wait = headers.get('retry-after');
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0' || headers.get('ratelimit-remaining') === '0';
  if (status !== 429 && !(status === 403 && (isUsedUp || wait !== null))) return undefined;
  if (wait !== null && /^\d+$/.test(wait)) return `, for ${wait} s`;
  const at = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset')) * 1000;
  return at > 0 && at < 8e15 ? `, until ${new Date(at).toISOString()}` : '';
}

function fail({ forge, url }: ForgeProject, path: string, how: string, { signal }: Host, hint?: string): never {
  if (signal.aborted) throw new DexsyncError('INTERRUPTED', `Interrupted while asking ${forge.name} for approvals.`);
  throw new DexsyncError('NETWORK', `Approvals cannot be read from ${forge.name}: GET ${url}/${path} ${how}`, {
    hint: hint ?? 'Run the command again when it answers.',
  });
}
