import { omitUndefined } from '#base/omit-undefined.js';
import { acknowledgementSchema } from '#core/model/acknowledgement.js';
import { addressSchema } from '#core/model/address-schema.js';
import { applyFactsSchema } from '#core/model/apply-facts.js';
import { jobStateSchema } from '#core/model/job-state.js';
import { isObject, type JsonObject } from '#core/model/json.js';
import { objectFactSchema } from '#core/model/object-fact.js';
import { importFactsSchema } from '#core/model/partial-imports.js';
import { planSchema } from '#core/model/plan.js';
import { type Shape, Type } from '#core/model/schema.js';
import { hasShape } from '#core/shape.js';
import { countsSchema } from './counts.js';

const at = Type.String({ description: 'ISO 8601 in UTC.' });
const address = addressSchema;
const write = Type.Integer({ minimum: 0, description: 'Index of the write within its step, from 0.' });

const planRecordSchema = Type.Object(
  {
    type: Type.Literal('plan'),
    at,
    previous: Type.Optional(
      Type.Object(
        { journal: Type.String(), chain: Type.String() },
        { description: "The previous journal; absent in a ledger's first journal." },
      ),
    ),
    movedFrom: Type.Optional(
      Type.String({
        description:
          'The identity that the workspace had before its address changed: all journals before this one name it.',
      }),
    ),
    delay: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Milliseconds for which later records may have been kept back; those are missing if it was killed.',
      }),
    ),
    apply: Type.Optional(applyFactsSchema),
    plan: planSchema,
  },
  { description: 'The first line, before anything was written to the workspace.' },
);

const intentRecordSchema = Type.Object(
  { type: Type.Literal('intent'), at, address, write },
  { description: 'A write that is about to be sent. Without an outcome it is unknown whether it was done.' },
);

const outcomeRecordSchema = Type.Object({
  type: Type.Literal('outcome'),
  at,
  address,
  write,
  failed: Type.Optional(Type.String({ description: 'Why it failed.' })),
  is: Type.Optional(
    Type.Union([Type.Literal('unknown'), Type.Literal('manual'), Type.Literal('skipped')], {
      description: "The step's status if it is not simply failed.",
    }),
  ),
});

const jobRecordSchema = Type.Object(
  {
    type: Type.Literal('job'),
    at,
    address,
    key: Type.String({ description: 'Digest of the content.' }),
    job: jobStateSchema,
    facts: Type.Optional(importFactsSchema),
  },
  { description: 'The state of an import.' },
);

const objectRecordSchema = Type.Object(
  {
    type: Type.Literal('object'),
    at,
    address,
    object: Type.Union([Type.Null(), objectFactSchema]),
    guid: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'What the object is read by where a list does not show it, or was deleted by.',
      }),
    ),
  },
  {
    description:
      "The object's owner from here on; null: no known owner. Also written before a creation, without identity.",
  },
);

const deletionRecordSchema = Type.Object(
  { type: Type.Literal('deletion'), at, address, identity: Type.String({ minLength: 1 }) },
  { description: 'A deletion that is about to be sent: its object counts as gone as soon as nobody can read it.' },
);

const acknowledgementRecordSchema = Type.Object(
  { type: Type.Literal('acknowledgement'), at, address, acknowledgement: acknowledgementSchema },
  {
    description:
      'A manual step counts as done, or the failed rows of an import are accepted, until a later `object` record of the address.',
  },
);

const endRecordSchema = Type.Object(
  { type: Type.Literal('end'), at, counts: Type.Optional(countsSchema) },
  { description: 'The result of the apply, so that a list of applies need not read plans.' },
);

export const RECORDS = {
  plan: planRecordSchema,
  intent: intentRecordSchema,
  outcome: outcomeRecordSchema,
  job: jobRecordSchema,
  object: objectRecordSchema,
  deletion: deletionRecordSchema,
  acknowledgement: acknowledgementRecordSchema,
  end: endRecordSchema,
} as const;

/** What is checked of each record by itself: plans have a validator of their own, which is large. */
export const RECORD_SHAPES: Readonly<Record<keyof typeof RECORDS, object>> = {
  ...RECORDS,
  plan: { ...planRecordSchema, properties: { ...planRecordSchema.properties, plan: {} } },
};

/** One line of a journal; `chain.ts` adds the `chain` at its end. */
export const journalSchema = Type.Tagged('type', Object.values(RECORDS));

/** One line of a journal. The plan comes first, before anything is written to the workspace. */
export type JournalRecord = Shape<(typeof RECORDS)[keyof typeof RECORDS]>;

/** The result of a write, with the reason if it failed. */
export type OutcomeRecord = Shape<typeof outcomeRecordSchema>;

/** The state of an import, by the key of its content; a later record with the same key replaces it. */
export type JobRecord = Shape<typeof jobRecordSchema>;

/** The owner of an object from here on; null if no owner is known. */
export type ObjectRecord = Shape<typeof objectRecordSchema>;

/** An object that may be deleted from here on, whether or not an outcome follows. */
export type DeletionRecord = Shape<typeof deletionRecordSchema>;

/** A manual step that somebody did; a later `object` record of the address ends it. */
export type AcknowledgementRecord = Shape<typeof acknowledgementRecordSchema>;

/** The records of a write: its intent before it, its outcome after it. */
export type WriteRecord = Shape<typeof intentRecordSchema> | OutcomeRecord;

/** The records that make up the state of the ledger. */
export type StateRecord = JobRecord | ObjectRecord | DeletionRecord | AcknowledgementRecord;

/**
 * The record in a line, which anybody may have edited or an older version may have written differently. `unknown`: of a
 * type that a later version may write; undefined if it is not a record.
 */
export function recordIn(value: unknown): JournalRecord | 'unknown' | undefined {
  if (!isObject(value) || typeof value.type !== 'string' || typeof value.at !== 'string') return undefined;
  if (!Object.hasOwn(RECORDS, value.type)) return 'unknown';
  const record = withRuns(value);
  const isRecord =
    hasShape(RECORD_SHAPES[value.type as keyof typeof RECORDS], record) &&
    (value.type !== 'plan' || hasShape(planSchema, value.plan));
  return isRecord ? (record as unknown as JournalRecord) : undefined;
}

/** The record in a line, if it is part of the state of the ledger. */
export function stateRecordIn(value: unknown): StateRecord | undefined {
  const record = recordIn(value);
  return record !== undefined && record !== 'unknown' && isOfState(record) ? record : undefined;
}

const STATE_TYPES: readonly string[] = ['job', 'object', 'deletion', 'acknowledgement'] satisfies StateRecord['type'][];

/** Whether a record is part of the ledger's state, which its `type` alone decides. */
export const isOfState = <R extends { readonly type: string }>(record: R): record is Extract<R, StateRecord> =>
  STATE_TYPES.includes(record.type);

const COMMIT_OF: Readonly<Record<string, string>> = { committing: 'begun', lost: 'begun', committed: 'done' };

/** Converts older records, which name one run for all rows. */
function withRuns(value: JsonObject): JsonObject {
  if (value.type !== 'job' || !isObject(value.job) || typeof value.job.run !== 'string') return value;
  const { run, number, definition, ...job } = value.job;
  const commit = COMMIT_OF[String(job.state)] ?? 'no';
  const named = {
    run,
    ...omitUndefined({ number, definition }),
  };
  return { ...value, job: { ...job, runs: [{ ...named, first: 1, last: Number.MAX_SAFE_INTEGER, commit }] } };
}
