import type { Write } from '../model/plan.js';

const TEXT = { type: 'string' };
const NAME = { type: 'string', minLength: 1 };
const COUNT = { type: 'integer', minimum: 0 };
/** What stands in it is its kind's business. */
const SPEC = { type: 'object' };
const YES_NO = { enum: ['yes', 'no'] };

const listOf = (items: object) => ({ type: 'array', items });

/** Members beyond the known ones are left alone: the digest covers them, and nothing reads them. */
const object = (required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

const definition = object(
  { resource: NAME, mode: NAME },
  { options: object({}, { mapping: listOf(object({ resource: TEXT, sourceName: TEXT })) }) },
);

const request = object(
  { path: NAME, spec: SPEC, definition: object({ spec: definition, content: SPEC }) },
  { files: NAME },
);

const validated = object({ rows: COUNT, failed: COUNT });
const runPart = object({ run: NAME, first: COUNT, last: COUNT });
const openRun = object(
  { run: NAME, phase: { enum: ['posted', 'committing'] } },
  { number: COUNT, validated, parts: listOf(runPart) },
);

/** By verb, what a write has beside it. A verb that is not here is a plan of some other dexsync. */
const WRITES = {
  create: object({ spec: SPEC }, { name: NAME }),
  update: object({ name: NAME, fields: SPEC, readFirst: YES_NO }),
  retire: object({ to: NAME, fields: SPEC }),
  delete: object({ name: NAME }),
  addChild: object({ field: NAME, name: NAME }),
  removeChild: object({ field: NAME, name: NAME }),
  record: object({}),
  import: object({ key: NAME, rows: COUNT, request }, { resume: openRun, done: { const: 'before' } }),
} satisfies Record<Write['verb'], object>;

const write = {
  type: 'object',
  required: ['verb'],
  discriminator: { propertyName: 'verb' },
  oneOf: Object.entries(WRITES).map(([verb, { properties, required }]) => ({
    properties: { ...properties, verb: { const: verb } },
    required,
  })),
};

/** As the ledger takes it: a plan must not be able to damage that. */
const fact = object(
  { stack: NAME, how: { enum: ['created', 'adopted'] }, applied: SPEC, protect: { type: 'boolean' } },
  { identity: NAME },
);

const field = object({ path: TEXT }, { cause: TEXT });

const step = object(
  {
    address: { type: 'string', pattern: '^\\w+/.' },
    action: NAME,
    reason: NAME,
    message: TEXT,
    fields: listOf(field),
    writes: listOf(write),
    dependsOn: listOf(NAME),
    fingerprint: NAME,
    origin: object({ file: TEXT, line: COUNT, column: COUNT, layer: TEXT }),
  },
  {
    liveName: NAME,
    observed: SPEC,
    identity: NAME,
    audit: { type: 'object', additionalProperties: TEXT },
    fact: { anyOf: [{ type: 'null' }, fact] },
    wanted: NAME,
    consent: { enum: ['given', 'asked'] },
  },
);

/** The shape of a plan in a file that anybody may have edited. */
export const planSchema = object(
  {
    stack: NAME,
    environment: NAME,
    workspace: object({ id: TEXT, name: TEXT, identity: NAME }),
    manifests: TEXT,
    // It becomes part of the name of a journal.
    nonce: { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' },
    createdAt: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' },
    summary: { type: 'object', additionalProperties: COUNT },
    steps: listOf(step),
    requests: object({
      used: COUNT,
      apply: object({ min: COUNT, max: COUNT }),
      remaining: { anyOf: [{ type: 'null' }, { type: 'integer' }] },
    }),
    notes: listOf(object({ code: TEXT, message: TEXT, addresses: listOf(TEXT) })),
    guards: listOf(
      object(
        { guard: NAME, severity: { enum: ['deny', 'warn'] }, message: TEXT, addresses: listOf(TEXT) },
        { override: TEXT, rule: TEXT },
      ),
    ),
  },
  { apart: listOf(NAME), selection: object({ only: listOf(TEXT), exclude: listOf(TEXT), closure: listOf(TEXT) }) },
);
