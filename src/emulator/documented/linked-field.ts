import type { Row } from '#base/sqlite/sqlite.js';
import { createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import type { AnswerContext, FieldFactory, StoredRecord } from '../family/field.js';
import { findRow, readRecord } from '../family/records.js';
import { answerSchema, type Shape } from '../interface/shape.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { type GivenKeys, givenSchema, valueKept } from './kept-value.js';
import { familyAt } from './registry.js';

/** The collections of objects, by the names under which others show them. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  ...{ user: '/settings/users', manager: '/settings/users', assignee: '/settings/users', owner: '/settings/users' },
  ...{ submitter: '/settings/users', completeUser: '/settings/users' },
  ...{ item: '/items', file: '/files', supplier: '/suppliers', supplierItem: '/supplieritems' },
  ...{ change: '/changes', request: '/requests', ticket: '/tickets', trainingplan: '/trainingplans' },
  ...{ quality: '/qualityprocesses', qualityProcess: '/qualityprocesses' },
};

/** The path of the collection that a field refers to; undefined if its name refers to none. */
export const linkedCollection = (name: string): string | undefined => COLLECTIONS[name];

/** The names under which others show the objects of a collection. */
export const linkNames = (path: string): readonly string[] =>
  Object.keys(COLLECTIONS).filter((name) => COLLECTIONS[name] === path);

/** The code of the refusal of a GUID in a field: of any that no object has, or of those of another collection. */
export type Unknown = number | { readonly of: string; readonly code: number };

/** A reference to an object of a collection, shown as the documented shape of the field asks. */
export function linkedField(
  collection: string,
  shape: Shape,
  given?: GivenKeys,
  searched: readonly string[] = [],
  unknown?: Unknown,
): FieldFactory {
  return (name) => ({
    ...valueKept(name),
    searched: { [`${name}.guid`]: `t.fields ->> '$.${name}'` },
    searchedToo: () => {
      const own = searched.filter((path) => path.startsWith(`${name}.`) && path !== `${name}.guid`);
      return Object.fromEntries(own.map((path) => [path, columnOf(familyAt(collection), name, path)]));
    },
    answer: answerSchema(shape),
    show: (_, { workspace, query }, record, shown = shape) => {
      const guid = (record() as Linked).fields[name];
      const family = familyAt(collection);
      const row = typeof guid === 'string' ? workspace.settings.get(family.byGuid, guid) : undefined;
      return row === undefined ? null : createAnswerer(family, { workspace, query }, shown)(row);
    },
    ...(given && {
      given: {
        schema: givenSchema(name, given),
        parse: (value, workspace) => {
          const guid = (value as StoredRecord | null | undefined)?.guid;
          if (guid === undefined) return null;
          return findReferred(workspace, collection, guid, unknown);
        },
      },
    }),
  });
}

/** The GUID that a body gives of an object of a collection. */
export function findReferred(workspace: Workspace, collection: string, guid: string, unknown?: Unknown): string {
  if (guid === '') throw refusal(3098, 'The GUID in the body is empty.');
  const family = familyAt(collection);
  if (typeof unknown === 'object' && readRecord(workspace.settings, familyAt(unknown.of), guid) !== undefined) {
    throw refusal(unknown.code, `"${guid}" is the GUID of ${familyAt(unknown.of).one}, not of ${family.one}.`);
  }
  const absent = typeof unknown === 'number' ? { absent: unknown } : {};
  return String(findRow(workspace, { ...family, ...absent }, guid).guid);
}

/** The SQL of a field of the object that a field refers to: `manager.fullName`. */
function columnOf({ table, rows }: Family, name: string, path: string): string {
  const column = rows.columns[path.slice(name.length + 1)] ?? 'NULL';
  return `(SELECT ${column.replaceAll(/\bt\./g, 'o.')} FROM ${table} o WHERE o.guid = t.fields ->> '$.${name}')`;
}

interface Linked extends StoredRecord {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** References to several objects of a collection, in the order of the request. */
export function linkedFields(collection: string, shape: Shape, given?: GivenKeys): FieldFactory {
  return (name) => {
    const one = linkedField(collection, shape.items ?? shape)(name);
    const show = (guid: string, row: Row, viewing: AnswerContext, shown: Shape): unknown =>
      one.show?.(row, viewing, () => ({ guid: '', fields: { [name]: guid } }) as StoredRecord, shown);
    return {
      ...valueKept(name),
      answer: answerSchema(shape),
      show: (row, viewing, record, shown = shape) => {
        const guids = ((record() as Linked).fields[name] ?? []) as readonly string[];
        return guids.map((guid) => show(guid, row, viewing, shown.items ?? shown)).filter((entry) => entry !== null);
      },
      ...(given && {
        given: {
          schema: givenSchema(name, given),
          parse: (value, workspace) => {
            const guids = ((value ?? []) as readonly StoredRecord[]).map(({ guid }) => guid);
            return guids.map((guid) => findReferred(workspace, collection, guid));
          },
        },
      }),
    };
  };
}

/** The owner of a record, as reads from the other end show it. */
export const ownerShown = (collection: string): FieldFactory<undefined> => {
  return (name) => ({
    name,
    documentedOnly: true,
    answer: answerSchema({ types: [] }),
    show: (row, { workspace, query }, _, shape) => {
      const owner = workspace.settings.get(familyAt(collection).byGuid, String(row.owner));
      if (owner === undefined) throw refuse.absent(String(row.owner));
      return createAnswerer(familyAt(collection), { workspace, query }, shape)(owner);
    },
  });
};
