import { DexsyncError, type ErrorCode } from '#base/errors.js';
import type { Address } from '#core/model/address.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Plan, Step, Write } from '#core/model/plan.js';
import type { StepStatus } from '#core/stream/event.js';
import { countSteps, plannedOutcome, type StepCounts } from '#ledger/counts.js';
import type { JournalRecord } from '#ledger/journal-record.js';
import type { Durable } from '#ledger/journal-store.js';
import type { Journal } from '#ledger/ledger.js';
import {
  brokenOff,
  type Failed,
  type Failure,
  FINAL,
  failure,
  failureFields,
  notBegun,
  unrecordedStatus,
  unwritten,
} from './failure.js';
import { type CopySearchPorts, noteCopies } from './note-copies.js';
import { type Claim, factsAfter, firstClaims, type RecordPorts, withdrawn, writeClaims } from './object-records.js';
import { type PacedLimit, pacedLimit } from './paced-limit.js';
import { type RenameBackPorts, settleFailure } from './rename-back.js';
import { meetings } from './waves.js';

/** The effects of an apply. All decisions are in the plan. */
export interface ApplyPorts extends RecordPorts, RenameBackPorts, CopySearchPorts {
  /** Contains the plan and its first claims. */
  readonly journal: Journal;
  /**
   * Makes one write, and returns the fact about a created object if it knows more than the plan. Throws if the write
   * failed. An import calls `together` between its validation and its commit: it returns when all imports of its wave
   * have been validated, and throws if nothing more may be sent.
   */
  readonly perform: (step: Step, write: Write, together: () => Promise<void>) => Promise<ObjectFact | undefined>;
  /** Called at the end if the ledger lacks the last results, although nothing stopped the apply. */
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
    if (apply.stopped === undefined) applying.onUnrecorded(unwritten(error));
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
  const records = withdrawn(firstClaims(step, applying), 'not sent');
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

/** `recorded`: the outcomes are durable. Only steps that need this one and the shown status wait for that. */
interface StepExecution {
  readonly status: StepStatus;
  readonly recorded: readonly Promise<void>[];
}

/** The connection of a step to the others: where it meets them, and why no further write may be sent. */
interface Others {
  together(): Promise<void>;
  reason(): Failure | undefined;
  tell(failed: Failure): void;
  took(write: Write, milliseconds: number): void;
}

async function executeStep(step: Step, applying: ApplyPorts, others: Others): Promise<StepExecution> {
  const { perform, clock } = applying;
  const recorded: Promise<void>[] = [];
  const noting = noteTaker(applying);
  const note = noting('soon');
  const record = (write: number, failed?: Failed): void => {
    const { address } = step;
    recorded.push(note({ type: 'outcome', at: clock().toISOString(), address, write, ...failureFields(failed) }));
  };
  for (const [index, write] of step.writes.entries()) {
    let made: ObjectFact | undefined;
    try {
      const claims = writeClaims(step, write, applying);
      await recordIntent(step, index, claims, applying);
      const stopped = others.reason();
      if (stopped !== undefined) {
        record(index, { is: index === 0 ? 'skipped' : 'failed', message: NOT_SENT });
        recorded.push(...withdrawn(claims, 'not sent').map(note));
        return { status: index === 0 ? notBegun(stopped) : brokenOff(stopped), recorded };
      }
      const begun = clock().getTime();
      made = await perform(step, write, others.together).finally(() => others.took(write, clock().getTime() - begun));
    } catch (error) {
      const failed = failure(error);
      others.tell(failed);
      record(index, failed);
      const { status, records } = await settleFailure(step, write, failed, applying);
      recorded.push(...records.map(note));
      return { status, recorded };
    }
    record(index);
    const settled = made === undefined ? step : { ...step, fact: made };
    recorded.push(...factsAfter(settled, index, applying).map(noting(durabilityOf(write))));
  }
  return { status: { is: 'done' }, recorded };
}

/** Appends records without waiting. The caller awaits them; until then a failure does not count as unhandled. */
const noteTaker =
  ({ journal }: ApplyPorts) =>
  (when: Durable) =>
  (entry: JournalRecord): Promise<void> => {
    const appended = journal.append(entry, when);
    appended.catch(() => undefined);
    return appended;
  };

async function recordIntent(
  { address }: Step,
  write: number,
  claims: readonly Claim[],
  { journal, clock }: ApplyPorts,
): Promise<void> {
  // The claims of a step's first write were recorded with the plan.
  const late = write === 0 ? [] : claims;
  const intent = { type: 'intent', at: clock().toISOString(), address, write } as const;
  const records = [...late.map((one) => journal.append(one)), journal.append(intent, 'soon')];
  await Promise.all(records).catch((error: unknown) => Promise.reject(unwritten(error)));
}

/** A write that changes only the ledger is done only when it is durable. */
const durabilityOf = ({ verb }: Write): Durable => (verb === 'record' ? 'now' : 'soon');

const NOT_SENT = 'Not sent: the apply was stopped.';
