import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetEvent } from '#core/stream/fleet-event.js';
import type { RolloutNote, RolloutSettings } from '#ledger/stored-rollout.js';
import type { CheckVerdict } from './check-wave.js';
import { decideRollout, type RolloutDecision, spentBudget } from './decide-rollout.js';
import type { RolloutState, TargetState } from './rollout-state.js';
import { runTargets, type Target } from './run-targets.js';
import type { TargetEnd } from './target-result.js';

/** What is recorded of a rollout; when and by whom is added to it. */
export type NewNote = Omit<RolloutNote, 'at' | 'author'>;

/** The effects of a rollout. */
export interface RolloutPorts {
  /** Reads its record, in which what others recorded is at most `age` milliseconds old; they may pause or stop it. */
  readonly read: (age?: number) => Promise<RolloutState>;
  /** Records what happened; durable when it returns. */
  readonly note: (note: NewNote) => Promise<void>;
  /** Applies the plan of an environment; undefined if it was interrupted. */
  readonly apply: (target: TargetState) => Promise<TargetEnd | undefined>;
  /** Undefined if it was interrupted. */
  readonly check: (wave: number, state: RolloutState) => Promise<CheckVerdict | undefined>;
  /** Throws if another process works on the rollout. */
  readonly mayGoOn: () => Promise<void>;
  readonly emit: (event: FleetEvent) => void;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
}

/** How to work on a rollout. */
export interface RunOptions {
  readonly settings: RolloutSettings;
  /** The environments that are still configured, with their users. */
  readonly sessions: readonly Target[];
  /** Whether to stay until it ends or a person is needed. */
  readonly wait: boolean;
}

/** In milliseconds: how old what others recorded may be when an environment is begun. */
const AGE = 1000;

/** The longest time in milliseconds in which nobody looks whether the rollout was paused or stopped. */
const LOOK_EVERY = 5000;

/** Works on a rollout as far as it may, and returns why it goes no further. Begins nothing after the signal. */
export async function runRollout(options: RunOptions, ports: RolloutPorts): Promise<RolloutDecision> {
  const { settings, wait } = options;
  const { clock, signal, emit } = ports;
  const since = clock().getTime();
  for (;;) {
    const state = await ports.read();
    const decision = decideRollout(state, settings, { now: clock().getTime(), since });
    if (signal.aborted) return decision;
    if (decision.is === 'work') await workOn(decision, state, options, ports);
    else if (decision.is === 'check') await checkWave(decision.wave, state, ports);
    else if (decision.is === 'wait' && wait) {
      const until = decision.until.getTime();
      emit({ is: 'waiting', wave: decision.wave + 1, because: decision.because, until: decision.until.toISOString() });
      while (!signal.aborted && clock().getTime() < until && (await mayGoOn(settings, ports)))
        await pause(Math.min(LOOK_EVERY, until - clock().getTime()), signal);
    } else return decision;
  }
}

async function workOn(
  { wave, environments }: Extract<RolloutDecision, { is: 'work' }>,
  { targets }: RolloutState,
  { settings, sessions }: RunOptions,
  ports: RolloutPorts,
): Promise<void> {
  const due = targets.filter(({ environment }) => environments.includes(environment));
  ports.emit({ is: 'wave', wave: wave + 1, environments: due.length });
  const sessionOf = new Map(sessions.map(({ name, session }) => [name, session]));
  for (const { environment, tries } of due.filter((target) => !sessionOf.has(target.environment)))
    await end(environment, tries === 0 ? GONE : LEFT, ports);
  const found = due.flatMap(({ environment: name }) => {
    const session = sessionOf.get(name);
    return session === undefined ? [] : [{ name, session }];
  });
  const { signal } = ports;
  await runTargets(found, { signal, atOnce: settings.concurrency }, async (name) => {
    const target = due.find(({ environment }) => environment === name);
    if (target === undefined || !(await mayBegin(target, settings, ports))) return;
    await ports.note({ is: 'begun', environment: name });
    ports.emit({ is: 'begun', environment: name });
    const ended = (await ports.apply(target)) ?? (signal.aborted ? undefined : UNKNOWN);
    if (ended !== undefined) await end(name, ended, ports);
  });
}

const UNKNOWN: TargetEnd = { is: 'unknown', message: 'The apply ended without a result.' };

const GONE: TargetEnd = { is: 'gone', message: 'It is no longer in the fleet, so nothing was done there.' };

const LEFT: TargetEnd = {
  is: 'unknown',
  message: 'It left the fleet after it was begun, so nobody knows whether its plan was applied.',
};

async function end(environment: string, ended: TargetEnd, ports: RolloutPorts): Promise<void> {
  await ports.note({ ...ended, environment });
  ports.emit({ ...ended, environment });
}

/** An environment that was begun before is finished, even if the budget was used up meanwhile. */
async function mayBegin({ is }: TargetState, settings: RolloutSettings, ports: RolloutPorts): Promise<boolean> {
  if (is !== 'begun') return mayGoOn(settings, ports);
  await ports.mayGoOn();
  return true;
}

/** Whether another environment may be begun: nobody paused or stopped the rollout, and the budget is left. */
async function mayGoOn({ budget }: RolloutSettings, ports: RolloutPorts): Promise<boolean> {
  await ports.mayGoOn();
  const state = await ports.read(AGE);
  return state.paused === undefined && state.stopped === undefined && spentBudget(state) <= budget;
}

async function checkWave(wave: number, state: RolloutState, ports: RolloutPorts): Promise<void> {
  const verdict = await ports.check(wave, state);
  if (verdict === undefined) return;
  const { is, message } = verdict;
  await ports.note({ is, wave, ...(message === undefined ? {} : { message }) });
  ports.emit({ is: 'checked', wave: wave + 1, passed: is === 'passed', ...(message === undefined ? {} : { message }) });
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);
