import { entryKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { type JsonObject, objectsIn, textsIn } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { FieldChange, Write } from '../model/plan.js';
import { diffSpec, topField } from './diff.js';
import { pairEntries } from './pair-entries.js';
import { overlay } from './spec-after.js';

/** Returns the writes that give a new object its children, one by one. */
export const newChildren = ({ children, schema }: Kind, spec: JsonObject): Write[] =>
  Object.entries(children).flatMap(([field, { ref }]) =>
    ref === undefined
      ? entryWrites(field, schema.properties[field], objectsIn(spec[field]), [])
      : textsIn(spec[field]).map((name): Write => ({ verb: 'addChild', field, name })),
  );

/**
 * Returns the writes that change the children of an object, one by one. Members are added before others are removed;
 * `fields` are the changes, and the two specs what they lead to and come from.
 */
export function childWrites(
  { children, schema }: Kind,
  fields: readonly FieldChange[],
  { desired, observed }: { readonly desired: JsonObject; readonly observed: JsonObject },
): Write[] {
  const changed = fields.filter(({ path }) => topField(path) in children);
  const members = changed.filter(({ path }) => children[topField(path)]?.ref !== undefined);
  const added = members.flatMap(({ path, after }) => memberWrite('addChild', path, after));
  const removed = members.flatMap(({ path, before }) => memberWrite('removeChild', path, before));
  const lists = new Set(changed.filter((change) => !members.includes(change)).map(({ path }) => topField(path)));
  const entries = [...lists].flatMap((field) =>
    entryWrites(field, schema.properties[field], objectsIn(desired[field]), objectsIn(observed[field])),
  );
  return [...added, ...removed, ...entries];
}

const memberWrite = (verb: 'addChild' | 'removeChild', path: string, name: unknown): Write[] =>
  typeof name === 'string' ? [{ verb, field: topField(path), name }] : [];

/**
 * Returns the writes of a list of values. What only one entry may have, such as being the primary one, is taken from an
 * entry before another gets it: removals come first, then updates that give no `true`, additions last.
 */
function entryWrites(
  field: string,
  schema: SchemaNode | undefined,
  desired: readonly JsonObject[],
  observed: readonly JsonObject[],
): Write[] {
  const { keyed: by = [] } = traitsOf(schema);
  const { pairs, left } = pairEntries(desired, observed, by);
  const removed = left.map(({ name }): Write => ({ verb: 'removeChild', field, name }));
  const items = schema?.items;
  const updated = pairs.flatMap(({ desired: entry, observed: present }) => {
    const changes = present === undefined ? [] : diffSpec(items as object, entry, present.entry);
    if (present === undefined || changes.length === 0) return [];
    const write: Write = {
      ...{ verb: 'updateChild', field, name: present.name },
      entry: overlay(items, entry, present.entry),
    };
    return [{ write, gives: changes.some(({ after }) => after === true) }];
  });
  const added = pairs.flatMap(({ desired: entry, observed: present }): Write[] =>
    present === undefined
      ? [{ verb: 'addChild', field, name: entryKey(entry, by), entry: overlay(items, entry, {}) }]
      : [],
  );
  const inOrder = [...updated.filter(({ gives }) => !gives), ...updated.filter(({ gives }) => gives)];
  return [...removed, ...inOrder.map(({ write }) => write), ...added];
}
