import { exec } from 'node:child_process';
import { promisify } from 'node:util';
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

/** Checks a wave: first the condition, then the command, as far as there are any. */
export async function checkWave(wave: number, state: RolloutState, context: CheckContext): Promise<CheckVerdict> {
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

/** In bytes: what a check may print. */
const LONGEST_OUTPUT = 1024 * 1024;

async function runCommand(
  command: string,
  wave: number,
  { name, rollout: { fleet }, folder, variables, signal }: CheckContext,
): Promise<CheckVerdict> {
  const own = { DEXSYNC_FLEET: fleet, DEXSYNC_ROLLOUT: name, DEXSYNC_WAVE: String(wave + 1) };
  try {
    await promisify(exec)(command, { cwd: folder, env: { ...variables, ...own }, signal, maxBuffer: LONGEST_OUTPUT });
    return PASSED;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: number; stderr?: string };
    const [said = ''] = stderr.trim().split('\n').slice(-1);
    const how = code === undefined ? 'did not end by itself' : `ended with ${code}`;
    return { is: 'refused', message: `The check ${how}${said === '' ? '.' : `: ${said}`}` };
  }
}
