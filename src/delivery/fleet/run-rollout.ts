import { setTimeout as sleep } from 'node:timers/promises';
import type { RolloutSettings } from '#ledger/stored-rollout.js';
import type { CheckVerdict } from './check-wave.js';
import { decideRollout, type RolloutDecision } from './decide-rollout.js';
import type { RolloutState, TargetState } from './rollout-state.js';
import { runTargets, type Target } from './run-targets.js';
import type { TargetEnd } from './target-result.js';
import { mayBegin, recordEnd, type TargetPorts } from './work-on-target.js';

/** The effects of a rollout. */
export interface RolloutPorts extends Omit<TargetPorts, 'apply'> {
  /** Works on an environment, here or elsewhere, and returns once the record says how far that came. */
  readonly work: (target: TargetState, session: string) => Promise<void>;
  /** Undefined if it was interrupted. */
  readonly check: (wave: number, state: RolloutState) => Promise<CheckVerdict | undefined>;
  readonly clock: () => Date;
}

/** How to work on a rollout. */
export interface RunOptions {
  readonly settings: RolloutSettings;
  /** The environments that are still configured, with their users. */
  readonly sessions: readonly Target[];
  /** Whether to stay until it ends or a person is needed. */
  readonly wait: boolean;
  /** When the command began, in milliseconds since 1970; now by default. Environments that were deferred before are tried at once. */
  readonly since?: number;
  /** How environments end that are no longer configured; by default they are gone. */
  readonly missing?: TargetEnd;
}

/** The longest time in milliseconds in which nobody looks whether the rollout was paused or stopped. */
const LOOK_EVERY = 5000;

/** Works on a rollout as far as it may, and returns why it goes no further. Begins nothing after the signal. */
export async function runRollout(options: RunOptions, ports: RolloutPorts): Promise<RolloutDecision> {
  const { settings, wait } = options;
  const { clock, signal, emit } = ports;
  const { since = clock().getTime() } = options;
  for (;;) {
    const state = await ports.read();
    const decision = decideRollout(state, settings, { now: clock().getTime(), since });
    if (signal.aborted) return decision;
    if (decision.is === 'work') await workOn(decision, state, options, ports);
    else if (decision.is === 'check') await checkWave(decision.wave, state, ports);
    else if (decision.is === 'wait' && wait) {
      const until = decision.until.getTime();
      emit({ is: 'waiting', wave: decision.wave + 1, because: decision.because, until: decision.until.toISOString() });
      while (!signal.aborted && clock().getTime() < until && (await mayBegin(settings, ports)))
        await pause(Math.min(LOOK_EVERY, until - clock().getTime()), signal);
    } else return decision;
  }
}

async function workOn(
  { wave, environments }: Extract<RolloutDecision, { is: 'work' }>,
  { targets }: RolloutState,
  { settings, sessions, missing }: RunOptions,
  ports: RolloutPorts,
): Promise<void> {
  const due = targets.filter(({ environment }) => environments.includes(environment));
  ports.emit({ is: 'wave', wave: wave + 1, environments: due.length });
  const sessionOf = new Map(sessions.map(({ name, session }) => [name, session]));
  for (const { environment, tries } of due.filter((target) => !sessionOf.has(target.environment)))
    await recordEnd(environment, missing ?? (tries === 0 ? GONE : LEFT), ports);
  const found = due.flatMap(({ environment: name }) => {
    const session = sessionOf.get(name);
    return session === undefined ? [] : [{ name, session }];
  });
  const { signal } = ports;
  await runTargets(found, { signal, atOnce: settings.concurrency }, async (name) => {
    const target = due.find(({ environment }) => environment === name);
    if (target !== undefined) await ports.work(target, sessionOf.get(name) ?? '');
  });
}

const GONE: TargetEnd = { is: 'gone', message: 'It is no longer in the fleet, so nothing was done there.' };

const LEFT: TargetEnd = {
  is: 'unknown',
  message: 'It left the fleet after it was begun, so nobody knows whether its plan was applied.',
};

async function checkWave(wave: number, state: RolloutState, ports: RolloutPorts): Promise<void> {
  const verdict = await ports.check(wave, state);
  if (verdict === undefined) return;
  const { is, message } = verdict;
  await ports.note({ is, wave, ...(message === undefined ? {} : { message }) });
  ports.emit({ is: 'checked', wave: wave + 1, passed: is === 'passed', ...(message === undefined ? {} : { message }) });
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);
