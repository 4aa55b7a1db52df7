import type { Address } from '../model/address.js';
import type { JobState } from '../model/job-state.js';
import { isObject, type JsonObject } from '../model/json.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Plan } from '../model/plan.js';
import type { ApplyFacts } from './apply-facts.js';
import type { Previous } from './chain.js';
import type { Counts, StepOutcome } from './counts.js';

/** One line of a journal. The plan is the first, before anything was written to the workspace. */
export type JournalRecord =
  | {
      readonly type: 'plan';
      readonly at: string;
      /** The journal before it; the first one of a ledger, and those of older versions, have none. */
      readonly previous?: Previous;
      readonly apply?: ApplyFacts;
      readonly plan: Plan;
    }
  | WriteRecord
  | JobRecord
  | ObjectRecord
  | EndRecord;

export type WriteRecord =
  /** About to make write number `write` of a step. Without an outcome nobody knows whether it was done. */
  { readonly type: 'intent'; readonly at: string; readonly address: Address; readonly write: number } | OutcomeRecord;

export interface OutcomeRecord {
  readonly type: 'outcome';
  readonly at: string;
  readonly address: Address;
  readonly write: number;
  readonly failed?: string;
  /** What the step counts as by that, where it is no plain failure. */
  readonly is?: Extract<StepOutcome, 'unknown' | 'manual' | 'skipped'>;
}

/** `counts`: what the apply came to, so that a list of many needs no plan. Old journals have none. */
export interface EndRecord {
  readonly type: 'end';
  readonly at: string;
  readonly counts?: Counts;
}

/** What an import has come to. */
export interface JobRecord {
  readonly type: 'job';
  readonly at: string;
  readonly address: Address;
  readonly key: string;
  readonly job: JobState;
}

/** Whose an object is from here on; `null`: nobody's that is known. Written before a creation too, without identity. */
export interface ObjectRecord {
  readonly type: 'object';
  readonly at: string;
  readonly address: Address;
  readonly object: ObjectFact | null;
}

/** The records that the ledger's state is the sum of. */
export type StateRecord = JobRecord | ObjectRecord;

const SETTLED = ['committed', 'rejected', 'validated'];
const COMMITS = ['no', 'begun', 'done'];
const COMMIT_OF: Readonly<Record<string, string>> = { committing: 'begun', lost: 'begun', committed: 'done' };
const STATES = ['posted', 'committing', 'failed', 'lost', ...SETTLED];

/** The record that a line holds, as older versions wrote it too; undefined where it is none. */
export function stateRecordIn(value: unknown): StateRecord | undefined {
  const record = isObject(value) ? withRuns(value) : value;
  return isStateRecord(record) ? record : undefined;
}

/** Older records name one run over all rows. */
function withRuns(value: JsonObject): JsonObject {
  if (value.type !== 'job' || !isObject(value.job) || typeof value.job.run !== 'string') return value;
  const { run, number, definition, ...job } = value.job;
  const commit = COMMIT_OF[String(job.state)] ?? 'no';
  const named = {
    run,
    ...(number === undefined ? {} : { number }),
    ...(definition === undefined ? {} : { definition }),
  };
  return { ...value, job: { ...job, runs: [{ ...named, first: 1, last: Number.MAX_SAFE_INTEGER, commit }] } };
}

/** Whether a line of a journal, which anybody may have edited, has all that planning reads of it. */
const isStateRecord = (value: unknown): value is StateRecord =>
  isObject(value) && (value.type === 'object' ? isObjectRecord(value) : isJobRecord(value));

function isObjectRecord({ address, object }: JsonObject): boolean {
  if (typeof address !== 'string' || object === null) return typeof address === 'string';
  if (!isObject(object) || !isObject(object.applied)) return false;
  const { stack, how, protect, identity } = object;
  const named = typeof stack === 'string' && typeof protect === 'boolean';
  return named && ['created', 'adopted'].includes(String(how)) && ['string', 'undefined'].includes(typeof identity);
}

function isJobRecord(value: JsonObject): boolean {
  if (typeof value.key !== 'string' || !isObject(value.job)) return false;
  const { state, runs, at, rows, failed } = value.job;
  if (typeof state !== 'string' || !STATES.includes(state) || !isRunList(runs)) return false;
  if (!SETTLED.includes(state)) return true;
  return typeof at === 'string' && typeof rows === 'number' && typeof failed === 'number';
}

const isRunList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => isObject(one) && typeof one.run === 'string' && COMMITS.includes(String(one.commit)));
