import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Rollout } from '#ledger/stored-rollout.js';
import type { Host } from '#project/host.js';
import { compileCheck } from './rollout-settings.js';
import type { RolloutState } from './rollout-state.js';

/** The verdict of a check, and what it said. */
export interface CheckVerdict {
  readonly is: 'passed' | 'refused';
  readonly message?: string;
}

/** What a check needs of its surroundings. */
export interface CheckContext extends Pick<Host, 'variables' | 'signal' | 'clock'> {
  readonly name: string;
  readonly rollout: Rollout;
  readonly folder: string;
}

/** Checks a wave: first the condition, then the command, as far as there are any. Undefined if it was interrupted. */
export async function checkWave(
  wave: number,
  state: RolloutState,
  context: CheckContext,
): Promise<CheckVerdict | undefined> {
  const { condition, command } = context.rollout.settings.check ?? {};
  const verdict = condition === undefined ? PASSED : await decideCondition(condition, wave, state, context);
  return verdict.is === 'refused' || command === undefined ? verdict : runCommand(command, wave, context);
}

const PASSED: CheckVerdict = { is: 'passed' };

async function decideCondition(
  condition: string,
  wave: number,
  { targets }: RolloutState,
  { clock }: CheckContext,
): Promise<CheckVerdict> {
  const decide = await compileCheck(condition);
  const own = targets.filter((target) => target.wave === wave);
  const counts = ['done', 'failed', 'unknown', 'deferred'].map((result): [string, bigint] => [
    result,
    BigInt(own.filter(({ is }) => is === result).length),
  ]);
  const seen = { number: BigInt(wave + 1), total: BigInt(own.length), ...Object.fromEntries(counts) };
  const verdict = decide({ wave: seen, now: clock(), production: false });
  if (verdict.is === 'met') return PASSED;
  const why = verdict.is === 'undecided' ? `cannot be decided: ${verdict.reason}` : 'is not met.';
  return { is: 'refused', message: `The condition ${condition} ${why}` };
}

/** Milliseconds that a check may take. */
const LONGEST = 3_600_000;

async function runCommand(
  command: string,
  wave: number,
  { name, rollout: { fleet }, folder, variables, signal }: CheckContext,
): Promise<CheckVerdict | undefined> {
  const own = { DEXSYNC_FLEET: fleet, DEXSYNC_ROLLOUT: name, DEXSYNC_WAVE: String(wave + 1) };
  // A group of its own, so that what the shell started ends with it.
  const child = spawn(command, {
    ...{ shell: true, detached: true, cwd: folder, env: { ...variables, ...own } },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let last = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    last = (last + text).slice(-MOST_CHARACTERS);
  });
  const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
  const limit = setTimeout(end, LONGEST);
  signal.addEventListener('abort', end);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (signal.aborted) return undefined;
    if (code === 0) return PASSED;
    const said = last.trim().split('\n').at(-1) ?? '';
    const how = code === null ? 'did not end by itself' : `ended with ${code}`;
    return { is: 'refused', message: `The check ${how}${said === '' ? '.' : `: ${said}`}` };
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', end);
  }
}

/** How much of what a check writes to standard error is kept. */
const MOST_CHARACTERS = 2000;
