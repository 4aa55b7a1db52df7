import type { TArray, TProperties, TSchema, TString } from 'typebox';
import { omitUndefined } from '#base/omit-undefined.js';
import { isObject, type Json } from './json.js';
import { Type } from './schema.js';

/** The schema keyword that carries a field's traits. Validation ignores it; diff, link and docs read it. */
export const TRAITS = 'x-dexsync';

/** The properties of one field besides its type. */
export interface Traits {
  /** The field contains the name of an object of this kind or lookup. */
  readonly ref?: RefTrait;
  /** The order of the entries has no meaning. */
  readonly set?: true;
  /** Entries are matched by the values of these fields, whichever are present; their order has no meaning. */
  readonly keyed?: readonly string[];
  /** The value that the service sets if the field is not given; `null` in a manifest resets to it. */
  readonly serverDefault?: Json;
  /** The known values of an enumeration that the interface does not show in full. Others cause a warning. */
  readonly known?: readonly string[];
  /** The release that a value came with, by value (interface, section 9). */
  readonly since?: Readonly<Record<string, string>>;
  /** The service ignores letter case (wire-facts, section 4). */
  readonly caseless?: true;
}

/** The kind or lookup whose name a field contains, and the partition if a lookup has several. */
export interface RefTrait {
  readonly kind: string;
  /** The partition, if it is always the same one. */
  readonly partition?: string;
  /** A sibling or outer field that selects the partition of a lookup (attributes of items, of changes). */
  readonly partitionBy?: string;
  /** The partitions by the values of that field. */
  readonly partitions?: Readonly<Record<string, string>>;
  /** The sibling field for the name as a text, if the lookup was not read. */
  readonly textIn?: string;
}

/** The options of a reference besides its kind. */
export interface RefOptions extends Omit<RefTrait, 'kind'> {
  readonly description?: string;
}

/** A schema as seen by code that walks a value along it. */
export interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  /** What the service shows where nobody said anything. */
  readonly default?: Json;
}

/** The traits of a field; none for a schema that is missing or has none. */
export const traitsOf = (schema: object | undefined): Traits =>
  (schema as { [TRAITS]?: Traits } | undefined)?.[TRAITS] ?? {};

/** The identity of a keyed list's entry in messages: the values of its key fields. */
export const entryKey = (entry: Json, by: readonly string[]): string =>
  isObject(entry)
    ? by
        .flatMap((field) => (entry[field] === undefined || entry[field] === null ? [] : [String(entry[field])]))
        .join(' ')
    : String(entry);

/** The identity of an entry for comparisons: letter case does not distinguish entries (wire-facts, section 4). */
export const matchKey = (entry: Json, by: readonly string[]): string => entryKey(entry, by).toLowerCase();

/** The names of a list's entries in messages and writes: those that share an identity are numbered. */
export function entryNames(entries: readonly Json[], by: readonly string[]): string[] {
  const taken = new Set<string>();
  return entries.map((entry) => {
    const key = entryKey(entry, by);
    let name = key;
    for (let number = key === '' ? 1 : 2; name === '' || taken.has(name.toLowerCase()); number += 1)
      name = `${key} #${number}`.trim();
    taken.add(name.toLowerCase());
    return name;
  });
}

/** An object that accepts only these fields. */
export const object = <P extends TProperties>(properties: P, options: { description?: string; oneOf?: Json } = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** The name of an object of that kind, or of an entry of that lookup. */
export const ref = (kind: string, options: RefOptions = {}): TString => {
  const { description, ...partition } = options;
  const trait: RefTrait = { kind, ...partition };
  return Type.String({ ...omitUndefined({ description }), minLength: 1, [TRAITS]: { ref: trait } });
};

/** A text whose letter case the service ignores. */
export const caselessText = (options: { description?: string } = {}): TString =>
  Type.String({ ...options, minLength: 1, [TRAITS]: { caseless: true } });

/** The options of a list besides its entries. */
export interface ListOptions {
  readonly description?: string;
  readonly minItems?: number;
}

/** A list without order or repetition. */
export const set = <S extends TSchema>(items: S, options: ListOptions & { serverDefault?: Json } = {}): TArray<S> => {
  const { serverDefault: value, ...rest } = options;
  const traits: Traits = value === undefined ? { set: true } : { set: true, serverDefault: value };
  return Type.Array(items, { ...rest, uniqueItems: true, [TRAITS]: traits });
};

/** A list whose entries are matched by the values of the fields `by`. */
export const keyedList = <S extends TSchema>(by: readonly string[], items: S, options: ListOptions = {}): TArray<S> =>
  Type.Array(items, { ...options, [TRAITS]: { keyed: by } });

/** Schema options of a field that the service sets if it is not given. */
export const serverDefault = (value: Json): { default: Json; [TRAITS]: Traits } => ({
  default: value,
  [TRAITS]: { serverDefault: value },
});

/** An open enumeration: the service decides about values beyond the known ones. */
export const openEnum = (
  known: readonly string[],
  options: { description?: string; serverDefault?: string; since?: Readonly<Record<string, string>> } = {},
): TString => {
  const { serverDefault: value, since, ...rest } = options;
  const traits: Traits = {
    known,
    ...omitUndefined({ serverDefault: value, since }),
  };
  return Type.String({
    ...rest,
    ...omitUndefined({ default: value }),
    pattern: '^[A-Z][A-Z0-9_]*$',
    [TRAITS]: traits,
  });
};
