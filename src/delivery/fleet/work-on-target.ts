import type { FleetEvent } from '#core/stream/fleet-event.js';
import type { RolloutNote, RolloutSettings } from '#ledger/stored-rollout.js';
import { spentBudget } from './decide-rollout.js';
import type { RolloutState, TargetState } from './rollout-state.js';
import type { TargetEnd } from './target-result.js';

/** What is recorded of a rollout; when and by whom is added to it. */
export type NewNote = Omit<RolloutNote, 'at' | 'author'>;

/** What working on an environment of a rollout needs. */
export interface TargetPorts {
  /** Reads the record, in which what others recorded is at most `age` milliseconds old; they may pause or stop it. */
  readonly read: (age?: number) => Promise<RolloutState>;
  /** Records what happened; durable when it returns. */
  readonly note: (note: NewNote) => Promise<void>;
  /** Applies the plan of an environment; undefined if it was interrupted. */
  readonly apply: (target: TargetState) => Promise<TargetEnd | undefined>;
  /** Throws if another process works on the rollout. */
  readonly mayGoOn: () => Promise<void>;
  readonly emit: (event: FleetEvent) => void;
  readonly signal: AbortSignal;
}

/** In milliseconds: how old what others recorded may be when an environment is begun. */
const AGE = 1000;

/** Begins an environment, unless the rollout may not go further, applies its plan, and records how that ended. */
export async function workOnTarget(target: TargetState, settings: RolloutSettings, ports: TargetPorts): Promise<void> {
  const { environment } = target;
  // One that was begun before is finished, even if the budget was used up meanwhile.
  if (target.is === 'begun') await ports.mayGoOn();
  else if (!(await mayBegin(settings, ports))) return;
  await ports.note({ is: 'begun', environment });
  // Others may have failed since, or somebody may have paused or stopped the rollout.
  if (target.is !== 'begun' && !(await mayBegin(settings, ports))) return ports.note({ is: 'retried', environment });
  ports.emit({ is: 'begun', environment });
  const end = (await ports.apply(target)) ?? (ports.signal.aborted ? undefined : UNKNOWN);
  if (end !== undefined && (await isStillOwn(target, ports))) await recordEnd(environment, end, ports);
}

/** Whether nobody else has begun the environment meanwhile, as after a lock that was lost. */
async function isStillOwn({ environment, tries }: TargetState, { read }: Pick<TargetPorts, 'read'>): Promise<boolean> {
  const found = (await read(AGE)).targets.find((one) => one.environment === environment);
  return found?.is === 'begun' && found.tries === tries + 1;
}

const UNKNOWN: TargetEnd = { is: 'unknown', message: 'The apply ended without a result.' };

/** Records how an environment ended. */
export async function recordEnd(
  environment: string,
  end: TargetEnd,
  { note, emit }: Pick<TargetPorts, 'note' | 'emit'>,
): Promise<void> {
  await note({ ...end, environment });
  emit({ ...end, environment });
}

/** Whether another environment may be begun: nobody paused or stopped the rollout, and the budget is left. */
export async function mayBegin(
  { budget }: RolloutSettings,
  { mayGoOn, read }: Pick<TargetPorts, 'mayGoOn' | 'read'>,
): Promise<boolean> {
  await mayGoOn();
  const state = await read(AGE);
  return state.paused === undefined && state.stopped === undefined && spentBudget(state) <= budget;
}
