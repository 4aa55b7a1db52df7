import { DexsyncError, type ErrorCode } from '#base/errors.js';
import type { Address } from '#core/model/address.js';
import type { Plan, Step } from '#core/model/plan.js';
import type { StepStatus } from '#core/stream/event.js';
import { countSteps, plannedOutcome, type StepCounts } from '#ledger/counts.js';
import type { Journal } from '#ledger/ledger.js';
import { executeStep, type StepExecution, type StepPorts } from './execute-step.js';
import { type Failure, FINAL, failure, notBegun, unrecordedStatus, unwritten } from './failure.js';
import { type CopySearchPorts, noteCopies } from './note-copies.js';
import { firstClaims, withdrawn } from './object-records.js';
import { type PacedLimit, pacedLimit } from './paced-limit.js';
import { meetings } from './waves.js';

/** The effects of an apply. All decisions are in the plan. */
export interface ApplyPorts extends StepPorts, CopySearchPorts {
  /** Contains the plan and its first claims. */
  readonly journal: Journal;
  /** Called at the end if the ledger lacks the last results, unless the apply stopped for the same reason. */
  readonly onUnrecorded: (error: DexsyncError) => void;
  /** How many steps may run at once; fewer do while the service answers slowly. */
  readonly parallelism: number | undefined;
  /** Called before a step begins; throws if none may. Returns a function to call once the step has ended. */
  readonly mayBegin?: (step: Step) => Promise<() => void>;
}

/** The status of each step that had writes. */
export type Outcomes = ReadonlyMap<Address, StepStatus>;

/** Applies a plan: each step runs after those that it needs. A failed step skips only the steps that need it. */
export async function applyPlan(plan: Plan, applying: ApplyPorts): Promise<Outcomes> {
  const { journal, clock, parallelism } = applying;
  const apply: ApplyRun = {
    applying,
    limit: pacedLimit(parallelism),
    meeting: meetings(plan.steps),
    running: new Map(),
    stopped: undefined,
  };
  await runSteps(
    plan.steps.filter(({ writes }) => writes.length > 0),
    apply,
  );
  const outcomes = new Map<Address, StepStatus>();
  for (const [address, status] of apply.running) outcomes.set(address, await status);
  // A stopped apply sends nothing more.
  const copied = apply.stopped === undefined ? await noteCopies(plan, applying) : [];
  for (const [address, status] of copied) outcomes.set(address, status);
  const counts = countsOf(plan, outcomes);
  await journal.append({ type: 'end', at: clock().toISOString(), counts }).catch((error: unknown) => {
    const lost = unwritten(error);
    if (apply.stopped?.code !== lost.code) applying.onUnrecorded(lost);
  });
  return outcomes;
}

/** The most steps that wait or run at once: each takes memory, and no service is sent as many at once. */
const MOST_OPEN = 1000;

/** Starts the steps. Each needs only earlier ones, which can be awaited; but imports of a wave await each other. */
async function runSteps(steps: readonly Step[], apply: ApplyRun): Promise<void> {
  const runs: Promise<StepStatus>[] = [];
  for (const step of steps) {
    const earlier = apply.meeting.size === 0 ? runs[runs.length - MOST_OPEN] : undefined;
    if (earlier !== undefined) await earlier.catch(() => undefined);
    const run = runStep(step, apply);
    // Awaited by steps that need it, and at the end.
    run.catch(() => undefined);
    runs.push(run);
    apply.running.set(step.address, run);
  }
  await Promise.allSettled(runs);
}

/** The state of an apply while its steps run. */
interface ApplyRun {
  readonly applying: ApplyPorts;
  readonly limit: PacedLimit;
  readonly meeting: ReturnType<typeof meetings>;
  readonly running: Map<Address, Promise<StepStatus>>;
  /** The failure after which no further step begins. */
  stopped: Failure | undefined;
}

async function runStep(step: Step, apply: ApplyRun): Promise<StepStatus> {
  const status = await settleStep(step, apply);
  apply.meeting.get(step.address)?.arrive(step.address);
  apply.applying.emit({ type: 'step', address: step.address, action: step.action, status });
  return status;
}

async function settleStep(step: Step, apply: ApplyRun): Promise<StepStatus> {
  const missing = await firstMissing(step, apply.running);
  if (missing !== undefined) return skip(step, { is: 'skipped', because: missing }, apply);
  // A running import waits for others: it must not occupy a slot that they need.
  const carried = apply.meeting.has(step.address)
    ? await executeUnlessStopped(step, apply)
    : await apply.limit.run(() => executeUnlessStopped(step, apply));
  try {
    await Promise.all(carried.recorded);
    return carried.status;
  } catch (error) {
    apply.stopped ??= failure(unwritten(error));
    return unrecordedStatus(step, carried.status, error);
  }
}

async function executeUnlessStopped(step: Step, apply: ApplyRun): Promise<StepExecution> {
  const { applying } = apply;
  const tell = (failed: Failure): void => {
    if (FINAL.some((code) => code === failed.code)) apply.stopped ??= failed;
  };
  if (apply.stopped === undefined && !applying.signal.aborted) {
    const end = await beginStep(step, applying).catch((error: unknown) => tell(failure(error)));
    if (end !== undefined) {
      applying.emit({ type: 'step', address: step.address, action: step.action, status: { is: 'started' } });
      const together = (): Promise<void> => meetOthers(step, apply);
      const { took } = apply.limit;
      return executeStep(step, applying, { together, reason: () => apply.stopped, tell, took }).finally(end);
    }
  }
  return { status: await skip(step, notBegun(apply.stopped), apply), recorded: [] };
}

/** Withdraws the claims of a step. If that cannot be written, a claim remains that the next plan settles. */
async function skip<T extends StepStatus>(step: Step, status: T, { applying }: ApplyRun): Promise<T> {
  const { journal } = applying;
  const records = withdrawn(firstClaims(step, applying), 'not sent', applying);
  await Promise.allSettled(records.map((record) => journal.append(record, 'soon')));
  return status;
}

async function meetOthers({ address }: Step, apply: ApplyRun): Promise<void> {
  const meeting = apply.meeting.get(address);
  meeting?.arrive(address);
  await meeting?.complete;
  if (apply.stopped === undefined) return;
  const { code, message } = apply.stopped;
  throw new DexsyncError(code as ErrorCode, `The rows were validated, but not committed: ${message}`);
}

const beginStep = async (step: Step, { mayBegin }: ApplyPorts): Promise<() => void> =>
  (await mayBegin?.(step)) ?? (() => undefined);

const countsOf = ({ steps }: Plan, outcomes: Outcomes): StepCounts =>
  countSteps(
    steps.map((step) => {
      const is = outcomes.get(step.address)?.is ?? plannedOutcome(step);
      return { action: step.action, outcome: is === 'started' ? 'unknown' : is };
    }),
  );

/** Returns the first needed step that was not done. The plan has settled steps without writes. */
async function firstMissing(
  step: Step,
  running: ReadonlyMap<Address, Promise<StepStatus>>,
): Promise<Address | undefined> {
  for (const needed of step.dependsOn) {
    const status = await running.get(needed);
    if (status?.is !== 'done') return needed;
  }
  return undefined;
}
