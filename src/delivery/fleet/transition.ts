import { digestOfChanges } from '#core/engine/changes-digest.js';
import { topField } from '#core/engine/diff.js';
import { FOR_EACH } from '#core/manifest/for-each.js';
import type { Address } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { isObject, type JsonObject } from '#core/model/json.js';
import type { Plan, Step, Write } from '#core/model/plan.js';
import { type Pointer, pointerKeys, pointerTo } from '#core/model/pointer.js';
import type { RowValue } from '#project/config/environment-tables.js';

/** A plan in which values that come from the row of its environment are references to them. */
export interface Transition {
  /** Equal for two environments in which the plans change the same, each with its own values. */
  readonly digest: string;
  readonly plan: Plan;
  /** The values that the plan contains, by reference. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Finds out what a plan changes, apart from the values that come from the row of its environment. Only fields that the
 * manifests fill in with such a value have references in place of them, before and after the change.
 */
export function transitionOf(plan: Plan, manifests: readonly Manifest[], row: readonly RowValue[]): Transition {
  const filled = new Map(manifests.map((manifest) => [manifest.address, filledFields(manifest, row)]));
  const values: Record<string, string> = {};
  const valuesIn = (address: Address, field: string): readonly RowValue[] => filled.get(address)?.get(field) ?? [];
  const refer = <T>(value: T, known: readonly RowValue[]): T => withReferences(value, known, values) as T;
  const addresses = new Map(
    plan.steps.map(({ address }) => [address, refer(address as string, valuesIn(address, NAME)) as Address]),
  );
  const addressOf = (address: Address): Address => addresses.get(address) ?? address;
  const steps = plan.steps.map((step): Step => {
    const { address, fields, writes, dependsOn } = step;
    const inField = <V>(field: string, value: V): V => refer(value, valuesIn(address, field));
    return {
      ...step,
      ...{ address: addressOf(address), dependsOn: dependsOn.map(addressOf) },
      fields: fields.map((change) => inField(topField(change.path), change)),
      writes: writes.map((write) => writeWithReferences(write, inField)),
    };
  });
  const guards = plan.guards.map((found) => ({ ...found, addresses: found.addresses.map(addressOf) }));
  const changed = { ...plan, steps, guards };
  return { digest: digestOfChanges(changed), plan: changed, values };
}

/** The key of the name among the fields of a manifest, which no field of a spec has. */
const NAME = '/name';

/** The values of the row in each field of a spec, and in the name. */
function filledFields({ spec, origins }: Manifest, row: readonly RowValue[]): Map<string, RowValue[]> {
  const fields = new Map<string, RowValue[]>();
  const referencesIn = (pointer: Pointer): string[] =>
    [...(origins.filledBy(pointer) ?? '').matchAll(/\$\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const add = (field: string, pointer: Pointer): void => {
    const used = referencesIn(pointer).flatMap((name) => (name.startsWith('each.') ? referencesIn(ITEMS) : [name]));
    const found = row.filter(({ reference }) => used.some((name) => isPartOf(reference, name)));
    if (found.length === 0) return;
    fields.set(field, [...new Set([...(fields.get(field) ?? []), ...found])]);
  };
  add(NAME, '/metadata/name');
  for (const pointer of leavesOf(spec, '/spec')) add(pointerKeys(pointer)[1] ?? '', pointer);
  return fields;
}

/** Where a manifest has the list or map whose items `each` means. */
const ITEMS = pointerTo('', FOR_EACH);

/** Whether a reference is another one, or a member or entry of what that means. */
const isPartOf = (reference: string, other: string): boolean =>
  reference.startsWith(other) && /^($|[.[])/.test(reference.slice(other.length));

function* leavesOf(value: unknown, at: Pointer): Generator<Pointer> {
  if (Array.isArray(value)) for (const [index, entry] of value.entries()) yield* leavesOf(entry, pointerTo(at, index));
  else if (isObject(value))
    for (const [key, entry] of Object.entries(value)) yield* leavesOf(entry, pointerTo(at, key));
  else yield at;
}

/** Writes references in place of values, the longest value first, and notes which ones. */
function withReferences(value: unknown, known: readonly RowValue[], noted: Record<string, string>): unknown {
  if (known.length === 0) return value;
  if (Array.isArray(value)) return value.map((entry) => withReferences(entry, known, noted));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withReferences(entry, known, noted)]));
  if (typeof value === 'number') {
    const same = known.find((one) => one.value === String(value));
    return same === undefined ? value : referenceTo(same, noted);
  }
  if (typeof value !== 'string') return value;
  return known
    .toSorted((one, other) => other.value.length - one.value.length)
    .reduce(
      (text, one) => (text.includes(one.value) ? text.replaceAll(one.value, () => referenceTo(one, noted)) : text),
      value,
    );
}

function referenceTo({ reference, value }: RowValue, noted: Record<string, string>): string {
  noted[reference] = value;
  return `\${${reference}}`;
}

function writeWithReferences(write: Write, inField: <V>(field: string, value: V) => V): Write {
  const members = (spec: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(spec).map(([field, value]) => [field, inField(field, value)]));
  switch (write.verb) {
    case 'create':
      return {
        ...write,
        ...(write.name === undefined ? {} : { name: inField(NAME, write.name) }),
        spec: members(write.spec),
      };
    case 'update':
      return { ...write, name: inField(NAME, write.name), fields: members(write.fields) };
    case 'retire':
      return { ...write, to: inField(NAME, write.to), fields: members(write.fields) };
    case 'delete':
      return { ...write, name: inField(NAME, write.name) };
    case 'addChild':
    case 'updateChild':
    case 'removeChild':
      return inField(write.field, write);
    default:
      return write;
  }
}
