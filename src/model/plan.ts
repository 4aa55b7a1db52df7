import type { Origin } from '../diagnostics.js';
import type { Address } from './address.js';
import { type GuardFinding, guardFindingSchema } from './guards.js';
import { validationCountsSchema } from './job-state.js';
import type { Json, JsonObject } from './json.js';
import { objectFactSchema } from './object-fact.js';
import { type Shape, Type } from './schema.js';

const name = (description?: string) =>
  Type.String({ minLength: 1, ...(description === undefined ? {} : { description }) });
const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
const anyJson = (description: string) => Type.Optional(Type.Unsafe<Json>({}, { description }));
/** What stands in it is its kind's business. */
const spec = (description?: string) =>
  Type.Unsafe<JsonObject>({ type: 'object' }, description === undefined ? {} : { description });
const address = Type.Unsafe<Address>({ type: 'string', minLength: 1 });

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

export type Action = (typeof ACTIONS)[number];

const action = Type.Unsafe<Action>({ type: 'string', enum: ACTIONS });

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

const fieldChange = Type.Object(
  {
    path: Type.String({
      description: 'Dotted, entries of lists in brackets: `options.mapping[ITEM_SPECS name].sourceName`.',
    }),
    before: anyJson('Absent where the workspace has nothing.'),
    after: anyJson('Absent where the field goes away.'),
    cause: Type.Optional(
      Type.Union([Type.Literal('asked'), Type.Literal('drift'), Type.Literal('both')], {
        description:
          'Who differs from what was last applied: the manifest, the workspace, or both. Absent where nothing was applied.',
      }),
    ),
    applied: anyJson('What was last applied, where it is neither `before` nor `after`.'),
  },
  { description: 'One field of one object.' },
);

const importRequest = Type.Object(
  {
    path: name('Where the file is, from the folder of the configuration.'),
    files: Type.Optional(name('Where its physical files are, a folder or a pattern, from the same folder.')),
    spec: spec("The manifest's spec."),
    definition: Type.Object(
      {
        spec: Type.Unsafe<JsonObject>(
          Type.Object({
            resource: name(),
            mode: name(),
            options: Type.Optional(
              Type.Object({
                mapping: Type.Optional(Type.Array(Type.Object({ resource: Type.String(), sourceName: Type.String() }))),
              }),
            ),
          }),
        ),
        content: spec('The part of it that decides whether rows are the same.'),
      },
      { description: 'The definition as it is once the plan was applied.' },
    ),
  },
  {
    description:
      'What an import asks for, in full: whoever applies a saved plan reads the file again by it, and no manifest.',
  },
);

const openRunsSeen = Type.Object(
  {
    run: name('Digest of the GUIDs.'),
    parts: Type.Optional(
      Type.Array(Type.Object({ run: name(), first: count(), last: count() }), {
        description: 'Each run by its own digest, with its rows, so that whoever has another ledger finds them too.',
      }),
    ),
    number: Type.Optional(count("The service's number of the first one.")),
    phase: Type.Union([Type.Literal('posted'), Type.Literal('committing')]),
    validated: Type.Optional(validationCountsSchema),
  },
  { description: 'Runs that were left open; their GUIDs stand in the ledger alone.' },
);

const verb = <const V extends string>(value: V) => Type.Literal(value);

const write = Type.Tagged(
  'verb',
  [
    Type.Object({
      verb: verb('create'),
      spec: spec(),
      name: Type.Optional(name("Where it is not the address's.")),
    }),
    Type.Object({
      verb: verb('update'),
      name: name(),
      fields: spec('What is sent.'),
      readFirst: Type.Union([Type.Literal('yes'), Type.Literal('no')], {
        description: 'yes: the values that no manifest names are read just before and sent with them.',
      }),
    }),
    Type.Object(
      { verb: verb('retire'), to: name(), fields: spec('The values that travel with its name.') },
      { description: 'Renames the old object away.' },
    ),
    Type.Object({ verb: verb('delete'), name: name() }, { description: 'Deletes the object of that name.' }),
    Type.Object({ verb: verb('addChild'), field: name(), name: name() }),
    Type.Object({ verb: verb('removeChild'), field: name(), name: name() }),
    Type.Object({ verb: verb('record') }, { description: 'Changes nothing but the ledger.' }),
    Type.Object({
      verb: verb('import'),
      key: name('Digest of normalised rows, definition content and run options.'),
      rows: count(),
      request: importRequest,
      resume: Type.Optional(openRunsSeen),
      done: Type.Optional(
        Type.Literal('before', {
          description:
            'The workspace has these rows by runs that the ledger does not know: nothing is sent, the ledger learns of them.',
        }),
      ),
    }),
  ],
  {
    description:
      'One write request. Specs hold names, never GUIDs: a write may refer to an object that an earlier step creates.',
  },
);

const origin = Type.Unsafe<Origin>(
  Type.Object({ file: Type.String(), line: count(), column: count(), layer: Type.String() }),
);

const text = Type.Optional(Type.String());

const audit = Type.Object(
  { createdAt: text, createdBy: text, changedAt: text, changedBy: text },
  { additionalProperties: Type.String(), description: 'Who made and last changed the object, as the service tells.' },
);

const step = Type.Object(
  {
    address: Type.Unsafe<Address>({ type: 'string', pattern: '^\\w+/.' }),
    action,
    reason: Type.Unsafe<Reason>({ type: 'string', minLength: 1 }),
    message: Type.String({ description: 'The reason in words, with names and numbers.' }),
    fields: Type.Array(fieldChange),
    writes: Type.Array(write),
    dependsOn: Type.Array(address, { description: 'Steps that must have succeeded before this one starts.' }),
    fingerprint: name('Digest of what was observed, or `absent`; for an import its key.'),
    liveName: Type.Optional(name("The object's present name where it is not the address's (a rename).")),
    observed: Type.Optional(spec('What was seen of the object; absent where there was none.')),
    identity: Type.Optional(name('Which object it was.')),
    audit: Type.Optional(audit),
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
    origin,
  },
  { description: "One object's difference and the writes that settle it, in order." },
);

const range = Type.Object({ min: count(), max: count() });

const selection = Type.Object(
  {
    only: Type.Array(Type.String()),
    exclude: Type.Array(Type.String()),
    closure: Type.Array(Type.Unsafe<Address>({ type: 'string' }), {
      description: 'What is planned since something that the patterns chose refers to it.',
    }),
  },
  { description: 'What the plan was narrowed to; absent where it is about all manifests.' },
);

const note = Type.Object({
  code: Type.Unsafe<'left-over' | 'not-owned' | 'looks-renamed' | 'consent-needed'>({ type: 'string' }),
  message: Type.String(),
  addresses: Type.Array(Type.Unsafe<Address>({ type: 'string' })),
});

/** The shape of a plan. Members beyond the known ones are left alone: the digest covers them, and nothing reads them. */
export const planSchema = Type.Object(
  {
    format: Type.Literal('dexsync-plan/1'),
    stack: name(),
    environment: name(),
    workspace: Type.Object(
      { id: Type.String(), name: Type.String(), identity: name() },
      {
        description: "identity: the key of the ledger: service host and workspace id, or the embedded database's own.",
      },
    ),
    manifests: Type.String({ description: 'Digest of the manifests that the plan was made from.' }),
    nonce: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'Part of the name of its journal.' }),
    createdAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' }),
    selection: Type.Optional(selection),
    summary: Type.Unsafe<Readonly<Record<SummaryKey, number>>>({ type: 'object', additionalProperties: count() }),
    steps: Type.Array(step),
    guards: Type.Array(Type.Unsafe<GuardFinding>(guardFindingSchema), {
      description: 'What guards and rules found: what they block, and what they only say.',
    }),
    apart: Type.Optional(
      Type.Array(address, {
        description:
          'Manifests without a step whose objects are told apart from those of another by their being described.',
      }),
    ),
    notes: Type.Array(note, { description: 'What a reader should know beside the steps.' }),
    requests: Type.Object(
      { used: count(), apply: range, remaining: Type.Union([Type.Null(), Type.Integer()]) },
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

export type SummaryKey = Action | 'unchanged';

/** The ordered steps from the workspace as it is to the manifests, as data: printed, saved, applied, never changed. */
export type Plan = Shape<typeof planSchema>;

/** One object's difference and the writes that settle it, in order. */
export type Step = Shape<typeof step>;

/** One field of one object. `before` is absent where the workspace has nothing, `after` where the field goes away. */
export type FieldChange = Shape<typeof fieldChange>;

/** One write request that a step makes. Specs hold names, never GUIDs. */
export type Write = Shape<typeof write>;

/** What an import asks for, in full: whoever applies a saved plan reads the file again by it, and no manifest. */
export type ImportRequest = Shape<typeof importRequest>;

/** Runs that were left open, as a plan names them; their GUIDs stand in the ledger alone. */
export type OpenRunsSeen = Shape<typeof openRunsSeen>;

/** How many requests, at the least and at the most. */
export type Range = Shape<typeof range>;

export type Note = Shape<typeof note>;

/** What is taken over only where whoever applies the plan agrees. */
export const takenOverUnasked = (steps: readonly Step[]): Address[] =>
  steps.filter(({ consent, writes }) => consent === 'asked' && writes.length > 0).map(({ address }) => address);

/** Whether there is anything to carry out, and so to confirm. */
export const hasWrites = ({ steps }: Plan): boolean => steps.some(({ writes }) => writes.length > 0);
