import { omitUndefined } from '#base/omit-undefined.js';
import { isObject, type Json, type JsonObject, objectsIn, sameJson } from '#core/model/json.js';
import type { FieldChange } from '#core/model/plan.js';
import type { EventList } from '#service/outbound-events.js';

/** Number and name of an object, as far as the service shows them. */
export interface NumberAndName {
  readonly number?: string;
  readonly name?: string;
}

/** One object that an event is about. */
export interface EventEntry extends NumberAndName {
  readonly guid: string;
  readonly list: EventList;
  /** GUID of the object itself. */
  readonly of: string;
  readonly reconciled: boolean;
  readonly reconciledAt?: string;
  readonly reconciledBy?: string;
  /** Whether the object is new or was changed. */
  readonly made: 'new' | 'changed';
  readonly changes: readonly FieldChange[];
}

/** The fields in which entries name their objects (wire-facts 6.1); `requests` name their items the same way. */
const OBJECT_FIELDS = ['item', 'change', 'request', 'qualityProcess', 'quality'];

/** The object that an entry is about; empty if the service names none. */
export const findEntryObject = (body: JsonObject): JsonObject =>
  OBJECT_FIELDS.map((field) => body[field]).find(isObject) ?? {};

/** Converts an entry for people: GUIDs of values become names, lists become their entries. */
export function toEntry(body: JsonObject, list: EventList, calledOf: (guid: string) => NumberAndName): EventEntry {
  const before = stateOf(body, 'pre');
  const after = stateOf(body, 'post');
  const object = findEntryObject(body);
  const of = String(object.guid ?? '');
  const { reconciledDatetime: at, reconciledUser: by } = body;
  return {
    guid: String(body.guid),
    list,
    of,
    ...calledOf(of),
    reconciled: body.reconciled === true,
    ...(typeof at === 'string' ? { reconciledAt: at } : {}),
    ...(isObject(by) ? { reconciledBy: String(by.fullName ?? by.email ?? '') } : {}),
    made: Object.keys(before).length === 0 ? 'new' : 'changed',
    changes: changesOf(flatten(before, calledOf), flatten(after, calledOf)),
  };
}

/** Items and requests have the lists `preEvents` and `postEvents`; changes and quality processes one object or null. */
function stateOf(body: JsonObject, when: 'pre' | 'post'): JsonObject {
  const found = body[`${when}Events`] ?? body[`${when}Event`] ?? null;
  const states = isObject(found) ? [found] : objectsIn(found);
  return Object.assign({}, ...states) as JsonObject;
}

type FlatState = ReadonlyMap<string, Json>;

function changesOf(before: FlatState, after: FlatState): FieldChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths
    .filter((path) => !sameJson(before.get(path), after.get(path)))
    .map((path) => {
      const [old, wanted] = [before.get(path), after.get(path)];
      return {
        path,
        ...omitUndefined({ before: old, after: wanted }),
      };
    });
}

function flatten(state: JsonObject, calledOf: (guid: string) => NumberAndName): FlatState {
  const fields = Object.entries(state).filter(([field]) => field !== 'guid');
  return new Map(fields.flatMap(([field, value]) => entriesOf(field, value, calledOf)));
}

function entriesOf(field: string, value: Json, calledOf: (guid: string) => NumberAndName): [string, Json][] {
  if (!Array.isArray(value) || !value.every(isObject)) return [[field, valueInWords(value)]];
  if (field === 'additionalAttributes')
    return value.map((one) => [String(one.name ?? one.guid), valueInWords(one.value ?? null)]);
  return value.flatMap((line, index) => lineEntries(field, line, index, calledOf));
}

/** The fields of a line of a list, such as the BOM, by their paths: `bom[P-100].quantity`. */
function lineEntries(
  field: string,
  line: JsonObject,
  index: number,
  calledOf: (guid: string) => NumberAndName,
): [string, Json][] {
  const { item, lineNumber, additionalAttributes, guid: _, ...rest } = line;
  const of = isObject(item)
    ? String(item.number ?? calledOf(String(item.guid)).number ?? item.guid)
    : String(index + 1);
  const place = `${field}[${lineNumber === null || lineNumber === undefined ? '' : `${lineNumber} `}${of}]`;
  const custom = objectsIn(additionalAttributes);
  const all = [
    ...Object.entries(rest),
    ...custom.map(({ name, value }): [string, Json] => [String(name), value ?? null]),
  ];
  return all.filter(([, value]) => value !== null).map(([name, value]) => [`${place}.${name}`, valueInWords(value)]);
}

/** Shows an object by its name: its GUID means nothing to people. */
function valueInWords(value: Json): Json {
  if (!isObject(value)) return value;
  return value.name ?? value.fullName ?? value.number ?? value.type ?? withoutGuid(value);
}

const withoutGuid = ({ guid: _, ...rest }: JsonObject): JsonObject => rest;
