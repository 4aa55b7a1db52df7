import { acknowledgementSchema } from './acknowledgement.js';
import type { Address } from './address.js';
import { addressSchema } from './address-schema.js';
import { type GuardFinding, guardFindingSchema } from './guards.js';
import { objectFactSchema } from './object-fact.js';
import { promotedSchema, selectionSchema } from './plan-scope-schema.js';
import { provenanceSchema } from './provenance.js';
import { countSchema, nameSchema, type Shape, Type } from './schema.js';
import { type Action, stepSchema } from './step-schema.js';
import type { fieldChangeSchema, importRequestSchema, openRunsSeenSchema, writeSchema } from './write-schema.js';

const rangeSchema = Type.Object({ min: countSchema(), max: countSchema() });

const noteSchema = Type.Object({
  code: Type.Unsafe<
    | 'left-over'
    | 'not-owned'
    | 'looks-renamed'
    | 'consent-needed'
    | 'destroy'
    | 'acknowledged'
    | 'partly-imported'
    | 'import-undone'
  >({ type: 'string' }),
  message: Type.String(),
  addresses: Type.Array(Type.Unsafe<Address>({ type: 'string' })),
  acknowledgement: Type.Optional(acknowledgementSchema),
  partial: Type.Optional(
    Type.Object(
      { runs: Type.Array(Type.Integer()), at: Type.String(), rows: countSchema(), committed: countSchema() },
      { description: 'An import that was committed in part: its runs, when, its rows, and how many are in effect.' },
    ),
  ),
});

/** The schema of a plan. Unknown members are kept: the digest covers them, and nothing reads them. */
export const planSchema = Type.Object(
  {
    format: Type.Literal('dexsync-plan/1'),
    stack: nameSchema(),
    environment: nameSchema(),
    workspace: Type.Object(
      { id: Type.String(), name: Type.String(), identity: nameSchema() },
      {
        description: "identity: the ledger's key: service host and workspace id, or the embedded database's own id.",
      },
    ),
    manifests: Type.String({ description: 'Digest of the manifests that the plan was created from.' }),
    nonce: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: "Part of its journal's name." }),
    createdAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' }),
    selection: Type.Optional(selectionSchema),
    promoted: Type.Optional(promotedSchema),
    summary: Type.Unsafe<PlanCounts>({ type: 'object', additionalProperties: countSchema() }),
    steps: Type.Array(stepSchema),
    guards: Type.Array(Type.Unsafe<GuardFinding>(guardFindingSchema), {
      description: 'Findings of guards and rules, both blocking and informational.',
    }),
    records: Type.Optional(
      Type.Array(Type.Object({ address: addressSchema, fact: objectFactSchema }), {
        description: 'What the ledger records of objects that need no step.',
      }),
    ),
    apart: Type.Optional(
      Type.Array(addressSchema, {
        description:
          'Manifests without a step that are needed to distinguish their objects from others with the same name.',
      }),
    ),
    provenance: Type.Optional(provenanceSchema),
    notes: Type.Array(noteSchema, { description: 'Further notes for the reader of the plan.' }),
    requests: Type.Object(
      { used: countSchema(), apply: rangeSchema, remaining: Type.Union([Type.Null(), Type.Integer()]) },
      {
        description:
          'Requests used by planning, needed by apply, and left of the daily quota if the service reports it.',
      },
    ),
  },
  {
    description:
      "The ordered steps from the workspace's present state to the manifests, as data: printed, saved, applied, never changed.",
  },
);

/** A count in the summary of a plan: steps by action, and objects without a step. */
export type SummaryKey = keyof PlanCounts;

/** The number of steps by action, and of objects without a step. */
export type PlanCounts = Readonly<Record<Exclude<Action, 'acknowledge'> | 'unchanged', number>> &
  /** Present only if there are any: older plans have neither. */
  Partial<Readonly<Record<'acknowledge' | 'acknowledged', number>>>;

/** The ordered steps from a workspace's present state to the manifests, as data: saved, applied, never changed. */
export interface Plan extends Omit<Shape<typeof planSchema>, 'steps' | 'notes' | 'guards'> {
  readonly steps: readonly Step[];
  readonly notes: readonly Note[];
  readonly guards: readonly GuardFinding[];
}

/** One object's difference and the writes that settle it, in order. */
export interface Step extends Omit<Shape<typeof stepSchema>, 'fields' | 'writes'> {
  readonly fields: readonly FieldChange[];
  readonly writes: readonly Write[];
}

/** A change of one field. `before` is absent if the workspace has no value, `after` if the field is removed. */
export interface FieldChange extends Shape<typeof fieldChangeSchema> {}

/** One write request of a step. Specs contain names, never GUIDs. */
export type Write = Shape<typeof writeSchema>;

/** The old object of a replacement, and the values for renaming it back. */
export type RenameBack = NonNullable<Extract<Write, { verb: 'create' }>['back']>;

/** A complete import request: applying a saved plan reads the file again from it, not from a manifest. */
export type ImportRequest = Shape<typeof importRequestSchema>;

/** Runs that were left open, as a plan names them; only the ledger has their GUIDs. */
export type OpenRunsSeen = Shape<typeof openRunsSeenSchema>;

/** The minimum and maximum number of requests. */
export type Range = Shape<typeof rangeSchema>;

/** A note for the reader of a plan besides its steps; blocks nothing. */
export interface Note extends Shape<typeof noteSchema> {}

/** Objects that are adopted only if the person who applies the plan agrees. */
export const takenOverUnasked = (steps: readonly Step[]): Address[] =>
  unasked(steps).flatMap(({ address, reason }) => (reason === 'twin' ? [] : [address]));

/** Objects whose copies are removed only if the person who applies the plan agrees. */
export const copiesRemovedUnasked = (steps: readonly Step[]): Address[] =>
  unasked(steps).flatMap(({ address, reason }) => (reason === 'twin' ? [address] : []));

const unasked = (steps: readonly Step[]): Step[] =>
  steps.filter(({ consent, writes }) => consent === 'asked' && writes.length > 0);

/** Whether the plan has anything to apply, and so to confirm. */
export const hasWrites = ({ steps }: Plan): boolean => steps.some(({ writes }) => writes.length > 0);
