import { createHash } from 'node:crypto';
import { omitUndefined } from '#base/omit-undefined.js';
import { acknowledgementSchema } from '#core/model/acknowledgement.js';
import { addressSchema } from '#core/model/address-schema.js';
import { jobStateSchema } from '#core/model/job-state.js';
import { isObject, jsonParts } from '#core/model/json.js';
import { lastIdentity, objectFactSchema } from '#core/model/object-fact.js';
import { importFactsSchema } from '#core/model/partial-imports.js';
import { countSchema, type Shape, Type } from '#core/model/schema.js';
import { hasShape } from '#core/shape.js';
import type { PreviousJournal } from './chain.js';
import type { LedgerState } from './fold.js';

/** A version that knows fewer records must not continue from a snapshot: it would save one without them. */
const FORMAT = 'dexsync-ledger-snapshot/5';

const address = addressSchema;
const position = Type.Object({ journal: Type.String({ minLength: 1 }), chain: Type.String() });

export const snapshotSchema = Type.Object({
  format: Type.Literal(FORMAT),
  through: Type.String({ minLength: 1, description: 'The last journal that it covers.' }),
  covered: Type.Array(Type.String(), {
    description: 'Journals that it covers and that may not have been put aside yet.',
  }),
  open: Type.Array(position, {
    description: 'Journals without an end: a line that is added to one of them later counts.',
  }),
  jobs: Type.Array(
    Type.Object({ key: Type.String(), address, job: jobStateSchema, facts: Type.Optional(importFactsSchema) }),
  ),
  objects: Type.Array(
    Type.Object({
      address,
      object: objectFactSchema,
      lineage: Type.Optional(Type.String({ description: 'The identity of the first object that it replaced.' })),
      known: Type.Optional(Type.Object({ guid: Type.String(), at: Type.Optional(Type.String()) })),
    }),
  ),
  deleted: Type.Array(Type.Object({ address, guid: Type.String(), at: Type.String() })),
  acknowledged: Type.Array(Type.Object({ address, acknowledgement: acknowledgementSchema })),
  committedRows: Type.Array(Type.Object({ address, rows: countSchema() })),
});

/**
 * The state of a ledger up to one of its journals, so that readers need only this and the later journals. It can be
 * rebuilt from the journals at any time, and one that was edited is ignored.
 */
export interface Snapshot {
  /** The last journal that it covers. */
  readonly through: string;
  /** Covered journals that may still be recent: an older one that is not named here came from elsewhere later. */
  readonly covered: readonly string[];
  /** Covered journals that have no end. */
  readonly open: readonly PreviousJournal[];
  readonly state: LedgerState;
}

/** Yields a snapshot as text with its own digest, in parts: as one string it would be in memory several times. */
export function* snapshotParts({ through, covered, open, state }: Snapshot): Generator<string> {
  const body: Shape<typeof snapshotSchema> = {
    format: FORMAT,
    through,
    covered: [...covered],
    open: [...open],
    jobs: [...state.imports.values()],
    objects: [...state.objects].map(([at, object]) => {
      const known = state.guids.get(lastIdentity(object));
      const lineage = state.lineages.get(lastIdentity(object));
      return { address: at, object, ...omitUndefined({ lineage, known }) };
    }),
    deleted: [...state.deleted].map(([guid, one]) => ({ ...one, guid })),
    acknowledged: [...state.acknowledged].map(([at, acknowledgement]) => ({ address: at, acknowledgement })),
    committedRows: [...state.committedRows].map(([at, rows]) => ({ address: at, rows })),
  };
  const hash = createHash('sha256');
  for (const part of jsonParts(body, ENTRIES)) {
    hash.update(part);
    yield part;
  }
  yield `\n${hash.digest('hex')}\n`;
}

/** How deep a snapshot is split into parts: down to the entries of its lists. */
const ENTRIES = 2;

/** Parses a snapshot; undefined if it was edited, or is of another version. */
export function snapshotIn(text: string | undefined): Snapshot | undefined {
  if (text === undefined || !isAsWritten(text)) return undefined;
  const body: unknown = JSON.parse(text.slice(0, text.indexOf('\n')));
  if (!isObject(body) || !hasShape(snapshotSchema, body)) return undefined;
  const { through, covered, open, jobs, objects, deleted, acknowledged, committedRows } = body as unknown as Shape<
    typeof snapshotSchema
  >;
  return {
    through,
    covered,
    open,
    state: {
      imports: new Map(
        jobs.map(({ address: of, key, job, facts }) => [key, { address: of, key, job, ...omitUndefined({ facts }) }]),
      ),
      objects: new Map(objects.map(({ address: at, object }) => [at, object])),
      lineages: new Map(
        objects.flatMap(({ object, lineage }) => (lineage === undefined ? [] : [[lastIdentity(object), lineage]])),
      ),
      guids: new Map(
        objects.flatMap(({ object, known }) => (known === undefined ? [] : [[lastIdentity(object), known]])),
      ),
      deleted: new Map(deleted.map(({ guid, ...one }) => [guid, one])),
      acknowledged: new Map(acknowledged.map(({ address: at, acknowledgement }) => [at, acknowledgement])),
      committedRows: new Map(committedRows.map(({ address: at, rows }) => [at, rows])),
    },
  };
}

/** Whether the text of a snapshot, of any version, still matches the digest that it was saved with. */
export function isAsWritten(text: string): boolean {
  const [line = '', digest] = text.split('\n');
  return digest === createHash('sha256').update(line).digest('hex');
}
