import type { ObjectFact } from '#core/model/object-fact.js';
import type { Step, Write } from '#core/model/plan.js';
import type { StepStatus } from '#core/stream/event.js';
import type { JournalRecord } from '#ledger/journal-record.js';
import type { Durable } from '#ledger/journal-store.js';
import type { Journal } from '#ledger/ledger.js';
import { brokenOff, type Failed, type Failure, failure, failureFields, notBegun, unwritten } from './failure.js';
import { type Claim, factsAfter, type RecordPorts, withdrawn, writeClaims } from './object-records.js';
import { type RenameBackPorts, settleFailure } from './rename-back.js';

/** The effects of a step. */
export interface StepPorts extends RecordPorts, RenameBackPorts {
  readonly journal: Pick<Journal, 'append'>;
  /**
   * Makes one write, and returns the fact about a created object if it knows more than the plan. Throws if the write
   * failed. An import calls `together` between its validation and its commit: it returns when all imports of its wave
   * have been validated, and throws if nothing more may be sent.
   */
  readonly perform: (step: Step, write: Write, together: () => Promise<void>) => Promise<ObjectFact | undefined>;
}

/** `recorded`: the outcomes are durable. Only steps that need this one and the shown status wait for that. */
export interface StepExecution {
  readonly status: StepStatus;
  readonly recorded: readonly Promise<void>[];
}

/** The connection of a step to the others: where it meets them, and why no further write may be sent. */
export interface Others {
  together(): Promise<void>;
  reason(): Failure | undefined;
  tell(failed: Failure): void;
  took(write: Write, milliseconds: number): void;
}

/** Sends the writes of a step, each between the records of its intent and of its outcome; the first failure ends it. */
export async function executeStep(step: Step, applying: StepPorts, others: Others): Promise<StepExecution> {
  const { perform, clock } = applying;
  const recorded: Promise<void>[] = [];
  const noting = noteTaker(applying);
  const note = noting('soon');
  let settled = step;
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
        recorded.push(...withdrawn(claims, 'not sent', applying).map(note));
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
    if (made !== undefined) settled = { ...settled, fact: made };
    recorded.push(...factsAfter(settled, index, applying).map(noting(durabilityOf(write))));
  }
  return { status: { is: 'done' }, recorded };
}

/** Appends records without waiting. The caller awaits them; until then a failure does not count as unhandled. */
const noteTaker =
  ({ journal }: StepPorts) =>
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
  { journal, clock }: StepPorts,
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
