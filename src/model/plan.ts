import type { Origin } from '../diagnostics.js';
import type { Address } from './address.js';
import { type GuardFinding, guardFindingSchema } from './guards.js';
import { objectFactSchema } from './object-fact.js';
import { countSchema, nameSchema, type Shape, Type } from './schema.js';
import {
  fieldChangeSchema,
  type importRequestSchema,
  type openRunsSeenSchema,
  specSchema,
  writeSchema,
} from './write-schema.js';

const addressSchema = Type.Unsafe<Address>({ type: 'string', minLength: 1 });

/** What a step does to its object. `blocked` and `manual` steps send nothing; they are named so that nobody misses them. */
export const ACTIONS = [
  'create',
  'update',
  'replace',
  'delete',
  /** Renamed away, where the service deletes none of its kind. */
  'retire',
  'rename',
  'adopt',
  /** The ledger drops what is gone from the workspace or given up. */
  'forget',
  'import',
  'manual',
  'blocked',
] as const;

/** One of `ACTIONS`. */
export type Action = (typeof ACTIONS)[number];

const actionSchema = Type.Unsafe<Action>({ type: 'string', enum: ACTIONS });

/** Why a step is there, for programs. People read the step's `message`. */
export type Reason =
  | 'absent'
  | 'differs'
  | 'not-updatable'
  | 'dead-reference'
  | 'renamed'
  | 'not-imported'
  | 'always'
  | 'reviewed'
  | 'unfinished'
  | 'ambiguous'
  | 'twin'
  | 'protected'
  | 'not-supported'
  | 'rejected-before'
  | 'imported-before'
  | 'findings'
  | 'dependency-blocked'
  | 'guarded'
  | 'refused-by-rule'
  | 'not-verifiable'
  | 'grown'
  | 'asked'
  | 'made-once'
  | 'not-owned'
  | 'other-stack'
  | 'protection'
  | 'renamed-outside'
  | 'replaced-outside'
  | 'not-described'
  | 'still-referenced'
  | 'gone';

const originSchema = Type.Unsafe<Origin>(
  Type.Object({ file: Type.String(), line: countSchema(), column: countSchema(), layer: Type.String() }),
);

const textSchema = Type.Optional(Type.String());

const auditSchema = Type.Object(
  { createdAt: textSchema, createdBy: textSchema, changedAt: textSchema, changedBy: textSchema },
  { additionalProperties: Type.String(), description: 'Who made and last changed the object, as the service tells.' },
);

const stepSchema = Type.Object(
  {
    address: Type.Unsafe<Address>({ type: 'string', pattern: '^\\w+/.' }),
    action: actionSchema,
    reason: Type.Unsafe<Reason>({ type: 'string', minLength: 1 }),
    message: Type.String({ description: 'The reason in words, with names and numbers.' }),
    fields: Type.Array(fieldChangeSchema),
    writes: Type.Array(writeSchema),
    dependsOn: Type.Array(addressSchema, { description: 'Steps that must have succeeded before this one starts.' }),
    fingerprint: nameSchema('Digest of what was observed, or `absent`; for an import its key.'),
    liveName: Type.Optional(nameSchema("The object's present name where it is not the address's (a rename).")),
    observed: Type.Optional(specSchema('What was seen of the object; absent where there was none.')),
    identity: Type.Optional(nameSchema('Which object it was.')),
    audit: Type.Optional(auditSchema),
    fact: Type.Optional(
      Type.Union([Type.Null(), objectFactSchema], {
        description:
          'What the ledger says of the object once the step is done: null nothing any more, absent as before.',
      }),
    ),
    formerly: Type.Optional(
      Type.Unsafe<Address>(
        { type: 'string' },
        {
          description:
            'The address by which the ledger knows the object until now; it forgets that one once the step is done.',
        },
      ),
    ),
    consent: Type.Optional(
      Type.Union([Type.Literal('given'), Type.Literal('asked')], {
        description:
          'Of a step that takes an object over: agreed to when the plan was made, or asked when it is applied.',
      }),
    ),
    wanted: Type.Optional(
      Type.Unsafe<Action>(
        { type: 'string', minLength: 1 },
        { description: 'Of a blocked step: what it would have done.' },
      ),
    ),
    origin: originSchema,
  },
  { description: "One object's difference and the writes that settle it, in order." },
);

const rangeSchema = Type.Object({ min: countSchema(), max: countSchema() });

const selectionSchema = Type.Object(
  {
    only: Type.Array(Type.String()),
    exclude: Type.Array(Type.String()),
    closure: Type.Array(Type.Unsafe<Address>({ type: 'string' }), {
      description: 'What is planned since something that the patterns chose refers to it.',
    }),
  },
  { description: 'What the plan was narrowed to; absent where it is about all manifests.' },
);

const noteSchema = Type.Object({
  code: Type.Unsafe<'left-over' | 'not-owned' | 'looks-renamed' | 'consent-needed'>({ type: 'string' }),
  message: Type.String(),
  addresses: Type.Array(Type.Unsafe<Address>({ type: 'string' })),
});

/** The shape of a plan. Members beyond the known ones are left alone: the digest covers them, and nothing reads them. */
export const planSchema = Type.Object(
  {
    format: Type.Literal('dexsync-plan/1'),
    stack: nameSchema(),
    environment: nameSchema(),
    workspace: Type.Object(
      { id: Type.String(), name: Type.String(), identity: nameSchema() },
      {
        description: "identity: the key of the ledger: service host and workspace id, or the embedded database's own.",
      },
    ),
    manifests: Type.String({ description: 'Digest of the manifests that the plan was made from.' }),
    nonce: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'Part of the name of its journal.' }),
    createdAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' }),
    selection: Type.Optional(selectionSchema),
    summary: Type.Unsafe<Readonly<Record<SummaryKey, number>>>({ type: 'object', additionalProperties: countSchema() }),
    steps: Type.Array(stepSchema),
    guards: Type.Array(Type.Unsafe<GuardFinding>(guardFindingSchema), {
      description: 'What guards and rules found: what they block, and what they only say.',
    }),
    apart: Type.Optional(
      Type.Array(addressSchema, {
        description:
          'Manifests without a step whose objects are told apart from those of another by their being described.',
      }),
    ),
    notes: Type.Array(noteSchema, { description: 'What a reader should know beside the steps.' }),
    requests: Type.Object(
      { used: countSchema(), apply: rangeSchema, remaining: Type.Union([Type.Null(), Type.Integer()]) },
      {
        description:
          'Requests that planning used, that an apply will take, and that are left today where the service tells.',
      },
    ),
  },
  {
    description:
      'The ordered steps from the workspace as it is to the manifests, as data: printed, saved, applied, never changed.',
  },
);

/** What the summary of a plan counts: steps by action, and objects without a difference. */
export type SummaryKey = Action | 'unchanged';

/** The ordered steps from the workspace as it is to the manifests, as data: printed, saved, applied, never changed. */
export type Plan = Shape<typeof planSchema>;

/** One object's difference and the writes that settle it, in order. */
export type Step = Shape<typeof stepSchema>;

/** One field of one object. `before` is absent where the workspace has nothing, `after` where the field goes away. */
export type FieldChange = Shape<typeof fieldChangeSchema>;

/** One write request that a step makes. Specs hold names, never GUIDs. */
export type Write = Shape<typeof writeSchema>;

/** What an import asks for, in full: whoever applies a saved plan reads the file again by it, and no manifest. */
export type ImportRequest = Shape<typeof importRequestSchema>;

/** Runs that were left open, as a plan names them; their GUIDs stand in the ledger alone. */
export type OpenRunsSeen = Shape<typeof openRunsSeenSchema>;

/** How many requests, at the least and at the most. */
export type Range = Shape<typeof rangeSchema>;

/** What a reader of a plan should know beside its steps; blocks nothing. */
export type Note = Shape<typeof noteSchema>;

/** What is taken over only where whoever applies the plan agrees. */
export const takenOverUnasked = (steps: readonly Step[]): Address[] =>
  steps.filter(({ consent, writes }) => consent === 'asked' && writes.length > 0).map(({ address }) => address);

/** Whether there is anything to carry out, and so to confirm. */
export const hasWrites = ({ steps }: Plan): boolean => steps.some(({ writes }) => writes.length > 0);
