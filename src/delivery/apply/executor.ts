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
  notBegun,
  recordOf,
  unrecordedStatus,
  unwritten,
} from './failure.js';
import { type LookingForCopies, noteCopies } from './note-copies.js';
import { claimOf, factsAfter, firstClaims, type Recording, withdrawn } from './object-records.js';
import { type PacedLimit, pacedLimit } from './paced-limit.js';
import { type RenamingBack, settleFailure } from './rename-back.js';
import { meetings } from './waves.js';

/** The effects of an apply. Everything that decides is in the plan. */
export interface Applying extends Recording, RenamingBack, LookingForCopies {
  /** It has the plan and its first claims. */
  readonly journal: Journal;
  /**
   * Makes one write, and gives back what the ledger says of an object that it made, where it knows more than the plan. Throws
   * where it failed. An import calls `together` between its validation and its commit: it returns
   * when all imports of its wave have been validated, and throws where nothing more may be sent.
   */
  readonly perform: (step: Step, write: Write, together: () => Promise<void>) => Promise<ObjectFact | undefined>;
  /** Told at the end where the ledger lacks the last results, although no step failed. */
  readonly onUnrecorded: (error: DexsyncError) => void;
  /** How many steps may be under way at once; fewer are while the service answers slowly. */
  readonly parallelism: number | undefined;
  /** Asked before a step begins; throws where none may. What it gives back is called once the step has ended. */
  readonly mayBegin?: (step: Step) => Promise<() => void>;
}

/** What became of each step that had writes. */
export type Outcomes = ReadonlyMap<Address, StepStatus>;

/** Carries out a plan: each step after those that it needs. A step that fails takes along only those that need it. */
export async function applyPlan(plan: Plan, applying: Applying): Promise<Outcomes> {
  const { journal, clock, parallelism } = applying;
  const apply: UnderWay = {
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
  // One that was stopped sends nothing more either.
  const copied = apply.stopped === undefined ? await noteCopies(plan, applying) : [];
  for (const [address, status] of copied) outcomes.set(address, status);
  const counts = countsOf(plan, outcomes);
  await journal.append({ type: 'end', at: clock().toISOString(), counts }).catch((error: unknown) => {
    if (apply.stopped === undefined) applying.onUnrecorded(unwritten(error));
  });
  return outcomes;
}

/** Steps that wait or run at one time: each of them takes memory, and no service is sent as many at once. */
const MOST_OPEN = 1000;

/** Each step needs only earlier ones, so that those can be waited for; but imports of one wave wait for each other. */
async function runSteps(steps: readonly Step[], apply: UnderWay): Promise<void> {
  const runs: Promise<StepStatus>[] = [];
  for (const step of steps) {
    const earlier = apply.meeting.size === 0 ? runs[runs.length - MOST_OPEN] : undefined;
    if (earlier !== undefined) await earlier.catch(() => undefined);
    const run = runStep(step, apply);
    // Awaited by whoever needs the step, and in the end.
    run.catch(() => undefined);
    runs.push(run);
    apply.running.set(step.address, run);
  }
  await Promise.allSettled(runs);
}

/** An apply while its steps run. */
interface UnderWay {
  readonly applying: Applying;
  readonly limit: PacedLimit;
  readonly meeting: ReturnType<typeof meetings>;
  readonly running: Map<Address, Promise<StepStatus>>;
  /** The failure after which no further step begins. */
  stopped: Failure | undefined;
}

async function runStep(step: Step, apply: UnderWay): Promise<StepStatus> {
  const status = await settleStep(step, apply);
  apply.meeting.get(step.address)?.arrive(step.address);
  apply.applying.emit({ type: 'step', address: step.address, action: step.action, status });
  return status;
}

async function settleStep(step: Step, apply: UnderWay): Promise<StepStatus> {
  const missing = await firstMissing(step, apply.running);
  if (missing !== undefined) return skip(step, { is: 'skipped', because: missing }, apply);
  // An import waits for others while it is under way: it must not take a place that they need.
  const carried = apply.meeting.has(step.address)
    ? await carryIfPossible(step, apply)
    : await apply.limit.run(() => carryIfPossible(step, apply));
  try {
    await Promise.all(carried.recorded);
    return carried.status;
  } catch (error) {
    apply.stopped ??= failure(unwritten(error));
    return unrecordedStatus(step, carried.status, error);
  }
}

async function carryIfPossible(step: Step, apply: UnderWay): Promise<CarriedOut> {
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
      return carryOut(step, applying, { together, reason: () => apply.stopped, tell, took }).finally(end);
    }
  }
  return { status: await skip(step, notBegun(apply.stopped), apply), recorded: [] };
}

/** Nothing was claimed then. Where that cannot be written, a claim stays that the next plan settles. */
async function skip<T extends StepStatus>(step: Step, status: T, { applying }: UnderWay): Promise<T> {
  const { journal } = applying;
  const records = withdrawn(firstClaims(step, applying), 'not sent');
  await Promise.allSettled(records.map((record) => journal.append(record, 'soon')));
  return status;
}

async function meetOthers({ address }: Step, apply: UnderWay): Promise<void> {
  const meeting = apply.meeting.get(address);
  meeting?.arrive(address);
  await meeting?.complete;
  if (apply.stopped === undefined) return;
  const { code, message } = apply.stopped;
  throw new DexsyncError(code as ErrorCode, `The rows were validated, but not committed: ${message}`);
}

const beginStep = async (step: Step, { mayBegin }: Applying): Promise<() => void> =>
  (await mayBegin?.(step)) ?? (() => undefined);

const countsOf = ({ steps }: Plan, outcomes: Outcomes): StepCounts =>
  countSteps(
    steps.map((step) => {
      const is = outcomes.get(step.address)?.is ?? plannedOutcome(step);
      return { action: step.action, outcome: is === 'started' ? 'unknown' : is };
    }),
  );

/** The first needed step that was not done. Steps without writes were settled by the plan. */
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

/** `recorded`: the outcomes are durable. Other steps do not wait for that; whoever shows the status or builds on it does. */
interface CarriedOut {
  readonly status: StepStatus;
  readonly recorded: readonly Promise<void>[];
}

/** What a step has to do with the others: where it meets them, and why no further write may be sent, whoever found out. */
interface Others {
  together(): Promise<void>;
  reason(): Failure | undefined;
  tell(failed: Failure): void;
  took(write: Write, milliseconds: number): void;
}

async function carryOut(step: Step, applying: Applying, others: Others): Promise<CarriedOut> {
  const { journal, perform, clock } = applying;
  const { address } = step;
  const recorded: Promise<void>[] = [];
  const noting =
    (when: Durable) =>
    (entry: JournalRecord): Promise<void> => {
      const appended = journal.append(entry, when);
      // Awaited by the caller; until then a failure must not count as unhandled.
      appended.catch(() => undefined);
      return appended;
    };
  const note = noting('soon');
  const record = (write: number, failed?: Failed): void => {
    recorded.push(note({ type: 'outcome', at: clock().toISOString(), address, write, ...recordOf(failed) }));
  };
  for (const [index, write] of step.writes.entries()) {
    let made: ObjectFact | undefined;
    try {
      const claims = claimOf(step, write, applying);
      const intent = { type: 'intent', at: clock().toISOString(), address, write: index } as const;
      // Those of a step's first write were recorded with the plan.
      const late = index === 0 ? [] : claims;
      await Promise.all([...late.map((one) => journal.append(one)), journal.append(intent, 'soon')]).catch(
        (error: unknown) => Promise.reject(unwritten(error)),
      );
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

/** What changes nothing but the ledger is done only when it is durable. */
const durabilityOf = ({ verb }: Write): Durable => (verb === 'record' ? 'now' : 'soon');

const NOT_SENT = 'Not sent: the apply was stopped.';
