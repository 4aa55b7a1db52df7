import { shellWord } from '#base/shell-word.js';
import type { RolloutNext, RolloutStatus } from '#core/stream/fleet-event.js';
import type { Found, Notice, NoticePlace, Seen } from './notice.js';

/** What a look at an environment found: addresses, or the code of an error that ended it. */
export interface Look {
  readonly waiting?: readonly string[];
  readonly drifted?: readonly string[];
  readonly failed?: readonly string[] | { readonly code: string };
}

export const environmentPlace = (name: string): NoticePlace => ({ name, is: 'environment', environments: [name] });

/** What is said to people about an environment. No text of the workspace but names gets into it. */
export function seenInEnvironment(environment: string, { waiting, drifted, failed }: Look): Seen {
  const at = `--env ${shellWord(environment)}`;
  return {
    ...(drifted && {
      drifted: {
        entries: drifted,
        text: listed(drifted, 'object', 'objects', 'changed outside dexsync'),
        command: `dexsync drift ${at}`,
        recovered: 'what was changed outside dexsync no longer differs',
      },
    }),
    ...(waiting && {
      waiting: {
        entries: waiting,
        text: listed(waiting, 'change waits', 'changes wait', 'for a person'),
        command: `dexsync plan ${at}`,
      },
    }),
    ...(failed && { failed: failureIn(failed, at) }),
  };
}

function failureIn(failed: NonNullable<Look['failed']>, at: string): Found {
  const recovered = 'what failed is done, or is no longer needed';
  if (!('code' in failed))
    return {
      ...{ entries: failed, text: listed(failed, 'step', 'steps', 'failed'), recovered },
      command: `dexsync history ${at}`,
    };
  const { code } = failed;
  return { entries: [code], text: `it could not be compared (${code})`, command: `dexsync plan ${at}`, recovered };
}

/** A plan that was saved for review. */
export const savedPlanNotice = (name: string, environment: string, steps: number): Notice => ({
  ...{ is: 'waiting', place: environmentPlace(environment) },
  text: `the plan ${name} with ${steps} ${steps === 1 ? 'change' : 'changes'} waits for review`,
  command: `dexsync show ${shellWord(`ledger:${name}`)} --env ${shellWord(environment)}`,
});

/** A rollout that was saved for review. */
export const savedRolloutNotice = (name: string, fleet: string, environments: readonly string[]): Notice => ({
  ...{ is: 'waiting', place: { name: fleet, is: 'fleet', environments } },
  text: `the rollout ${name} waits for review, for ${inEnvironments(environments)}`,
  command: `dexsync fleet status ${shellWord(`ledger:${name}`)}`,
});

export const rolloutPlace = ({ fleet, targets }: Pick<RolloutStatus, 'fleet' | 'targets'>): NoticePlace => ({
  ...{ name: fleet, is: 'fleet' },
  environments: targets.map(({ environment }) => environment),
});

/** What is said to people about a rollout. What people themselves did, such as a pause, is not news. */
export function seenInRollout({ fleet, name, targets, next, exitCode }: RolloutStatus): Seen {
  if (next.is === 'paused' || next.is === 'stopped') return {};
  const rollout = `rollout ${name}`;
  const status = `dexsync fleet status ${shellWord(fleet)}`;
  const failed = targets.filter(({ is }) => is === 'failed' || is === 'unknown').map(({ environment }) => environment);
  const isDone = next.is === 'ended' && exitCode === 0;
  return {
    failed: {
      entries: failed.map((environment) => `${name} ${environment}`),
      text: `${rollout} failed in ${inEnvironments(failed)}`,
      command:
        next.is === 'over-budget' || next.is === 'ended' ? `dexsync fleet retry ${shellWord(fleet)} --failed` : status,
      ...(isDone ? {} : { recovered: `${rollout} goes on, and no environment is left that failed` }),
    },
    waiting: {
      entries: next.is === 'ask' ? [`${name} ${next.wave} ${next.because}`] : [],
      text: `wave ${next.wave} of ${rollout} waits for a person: ${WAITS[next.because ?? 'approval']}`,
      command: status,
    },
    done: {
      entries: isDone ? [name] : [],
      text: `${rollout} is done in ${inEnvironments(targets.map(({ environment }) => environment))}`,
      command: status,
    },
  };
}

const WAITS: Partial<Record<NonNullable<RolloutNext['because']>, string>> = {
  approval: 'to be approved',
  refused: 'it was refused',
  failed: 'no environment is done',
};

/** How many names a line has. */
const MOST = 5;

/** `2 objects changed: A, B` */
const listed = (names: readonly string[], one: string, many: string, what: string): string =>
  `${names.length} ${names.length === 1 ? one : many} ${what}: ${namesIn(names)}`;

const inEnvironments = (names: readonly string[]): string =>
  `${names.length} ${names.length === 1 ? 'environment' : 'environments'}: ${namesIn(names)}`;

const namesIn = (names: readonly string[]): string =>
  `${names.slice(0, MOST).join(', ')}${names.length > MOST ? ` and ${names.length - MOST} more` : ''}`;
