import type { Row } from '#base/sqlite/sqlite.js';
import { links, linksTo, nullable } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import { text } from '../store/select.js';
import { answerSchema, createAnswerer } from './answer.js';
import { snake } from './column-field.js';
import type { Family } from './family.js';
import { type Field, type FieldFactory, type StoredRecord, valueIn } from './field.js';
import type { ListTable } from './list-table.js';
import { findRecord } from './records.js';
import { nullableText, plainText } from './text-fields.js';

/** The object that a field refers to, and the parts that answers show besides its GUID. */
interface Target {
  readonly table: string;
  /** The columns that answers show, each under its own name. */
  readonly shows: readonly string[];
  /** The path of its collection; answers have a link to the object. */
  readonly path?: string;
  readonly column?: string;
  /** Shown without its GUID. */
  readonly anonymous?: true;
}

const byGuidBody = Type.Object({ guid: Type.String() }, { additionalProperties: false });

/** A reference to another object by GUID. The rules check that it exists. */
export function reference(target: Target): FieldFactory<string> {
  const field = plainText(target);
  return (name) => ({
    ...referring(field(name), target),
    given: { schema: byGuidBody, parse: (value) => (value as StoredRecord).guid },
  });
}

/** A reference to another object, or null. */
export function optionalReference(target: Target): FieldFactory<string | null> {
  const field = nullableText(target);
  const schema = Type.Optional(nullable(byGuidBody));
  return (name) => {
    const { show, ...own } = referring(field(name), target);
    return {
      ...own,
      answer: nullable(schemaOf(target)),
      show: (row, viewing, record) => (row[own.column?.name ?? name] === null ? null : show?.(row, viewing, record)),
      given: { schema, parse: (value) => (value as StoredRecord | null | undefined)?.guid ?? null },
    };
  };
}

function referring<T>(field: Field<T>, target: Target): Field<T> {
  const { table, shows, path, anonymous } = target;
  const { name, column = { name } } = field;
  const alias = `${name}_of`;
  return {
    ...field,
    selects: shows.map((part) => `${alias}.${snake(part)} AS ${alias}_${part}`),
    join: `LEFT JOIN ${table} ${alias} ON ${alias}.guid = t."${column.name}"`,
    searched: Object.fromEntries([
      [`${name}.guid`, `t."${column.name}"`],
      ...shows.map((part) => [`${name}.${part}`, `${alias}.${snake(part)}`]),
    ]),
    answer: schemaOf(target),
    show: (row, { workspace }) => {
      const guid = text(row, column.name);
      const shown: Record<string, unknown> = anonymous ? {} : { guid };
      for (const part of shows) shown[part] = text(row, `${alias}_${part}`);
      if (path !== undefined) shown.url = linksTo(workspace, `${path}/${guid}`);
      return shown;
    },
  };
}

function schemaOf({ shows, path, anonymous }: Target): TSchema {
  const parts = Object.fromEntries([...(anonymous ? [] : ['guid']), ...shows].map((part) => [part, Type.String()]));
  return Type.Object({ ...parts, ...(path === undefined ? {} : { url: links }) });
}

/** Another object, shown as the documented form of the answer has it or in its compact view; null without one. */
export function embedded(of: Family): FieldFactory<string> {
  const field = plainText();
  const answer = answerSchema(of, 'compact');
  return (name) => ({
    ...field(name),
    answer,
    show: (_, viewing, record, shape) => {
      const row = viewing.workspace.settings.get(of.byGuid, valueIn(record(), name) as string);
      return row === undefined ? null : createAnswerer(of, viewing, shape ?? 'compact')(row);
    },
  });
}

/** Several objects of another family in the order of the request, each once; a deleted object leaves the list. */
export function references(of: Family, tableName: string): FieldFactory<readonly string[]> {
  const table: ListTable = { name: tableName, column: 'member', of: { table: of.table, deletable: true } };
  const alias = `${tableName}_shown`;
  const entries = `SELECT g.guid, g.name FROM ${tableName} x JOIN ${of.table} g ON g.guid = x.member
    WHERE x.owner = t.guid ORDER BY x.seq`;
  const shown = (row: Row) => JSON.parse(text(row, alias)) as readonly (StoredRecord & { readonly name: string })[];
  return (name) => ({
    name,
    table,
    selects: [`(SELECT json_group_array(json_object('guid', u.guid, 'name', u.name)) FROM (${entries}) u) AS ${alias}`],
    read: (row) => shown(row).map(({ guid }) => guid),
    answer: Type.Array(Type.Object({ guid: Type.String(), name: Type.String() })),
    show: shown,
    given: {
      schema: Type.Optional(Type.Array(byGuidBody)),
      parse: (value) => [...new Set(((value ?? []) as readonly StoredRecord[]).map(({ guid }) => guid))],
    },
    resolve: (guids, workspace) => {
      for (const guid of guids) findRecord(workspace, of, guid);
    },
  });
}

/** Several texts in a table of their own, in which each is unique. */
export function values(tableName: string): FieldFactory<readonly string[]> {
  const entries = `SELECT value FROM ${tableName} WHERE owner = t.guid ORDER BY seq`;
  const schema = Type.Array(Type.String());
  return (name) => ({
    name,
    table: { name: tableName, column: 'value' },
    selects: [`(SELECT json_group_array(x.value) FROM (${entries}) x) AS ${tableName}_shown`],
    read: (row) => JSON.parse(text(row, `${tableName}_shown`)) as string[],
    answer: schema,
    given: { schema: Type.Optional(schema), parse: (value) => (value ?? []) as readonly string[] },
  });
}
