import { type Diagnostic, withHint } from '#base/diagnostics.js';
import type { Catalog } from '../catalog.js';
import type { Document, Origins } from '../model/document.js';
import type { SchemaNode } from '../model/fields.js';
import { isObject, type JsonObject } from '../model/json.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import { envelope } from './envelope.js';
import { addFinding, type FillContext, fill, type ReferenceFinding } from './fill-references.js';
import { FOR_EACH, MOST_ITEMS } from './for-each.js';
import { filledOrigins, laterOrigins, layeredOrigins, type Place, rowOrigins } from './layered-origins.js';
import { Groups, mergeRows, type RowPart, type RowParts } from './merge-rows.js';
import type { RowScope } from './row-scope.js';
import { type ColumnPlace, isFaultOf, type RowTable, rowText, type TableRow } from './row-table.js';

/** What all rows of a list are filled into. */
interface Template {
  readonly rest: JsonObject;
  readonly table: RowTable;
  readonly filling: FillContext;
  readonly schema: SchemaNode;
  /** The variables that say which rows are read. */
  readonly filledBy: string;
}

/**
 * Makes a document for each name among the rows of a list: `rest` is filled in with each row, and what the rows of one
 * name say is merged. Adds findings to `filling` if a column, a name or a cell is wrong, or if there are no rows.
 */
export function rowDocuments(
  rest: JsonObject,
  table: RowTable,
  filling: FillContext,
  catalog: Pick<Catalog, 'jobs' | 'schemaOf'>,
): Document[] {
  const { found, sources } = filling;
  const spec = catalog.schemaOf(String(rest.kind)) as SchemaNode;
  const schema = { properties: { metadata: envelope.properties.metadata as SchemaNode, spec } };
  const template: Template = { rest, table, filling, schema, filledBy: [...sources.values()].join(', ') };
  const columns = checkTemplate(template, catalog);
  if (found.length > 0) return [];
  found.push(...cellFindings(template, columns));
  const parts = table.rows.map((row) => partOf(row, template));
  const ofName = columns.get(NAME);
  const isUnnamed = ({ value }: RowPart): boolean => ofName !== undefined && nameIn(value) === '';
  found.push(...parts.filter(isUnnamed).map((part) => unnamed(part, ofName)));
  const named = parts.filter((part) => !isUnnamed(part));
  const groups = new Groups();
  for (const part of named) groups.add(nameIn(part.value), part);
  const { size } = groups.all;
  if (size > MOST_ITEMS) addFinding(tooMany(size), '', pointerTo('', FOR_EACH), filling);
  return [...groups.all].map(([name, of]) => mergedDocument(`${rest.kind}/${name}`, of, template));
}

const NAME = '/metadata/name';

/** Fills in a row of empty cells, which finds the mistakes that all rows would have. Returns the columns in use. */
function checkTemplate({ rest, table, filling, ...template }: Template, { jobs }: Pick<Catalog, 'jobs'>) {
  const row = scopeOf({ row: 0, cells: [] }, { ...template, rest, table, filling });
  fill(rest, '', { ...filling, row });
  if (jobs.some(({ name }) => name === rest.kind)) addFinding(ofJob(String(rest.kind)), '', '/kind', filling);
  if (table.rows.length === 0) addFinding(noRows(table), '', `/${FOR_EACH}/file`, filling);
  return row.columns;
}

const scopeOf = (row: TableRow, { table, schema, filledBy }: Template): RowScope => ({
  ...{ table, row, schema, columns: new Map(), counts: { empty: 0, filled: 0 } },
  ...(filledBy === '' ? {} : { filledBy }),
});

function partOf(row: TableRow, template: Template): RowPart {
  const { rest, table, filling } = template;
  const scope = scopeOf(row, template);
  const sources = new Map<Pointer, string>();
  const value = fill(rest, '', { ...filling, row: scope, sources });
  const origins = rowOrigins(filledOrigins(filling.origins, sources), scope.columns, (columns) =>
    rowText(table, [row], columns),
  );
  return { value, pointer: '', of: { row, origins } };
}

/** The name in a document; empty if it has none. */
function nameIn(value: unknown): string {
  const metadata = isObject(value) ? value.metadata : undefined;
  const name = isObject(metadata) ? metadata.name : undefined;
  return typeof name === 'string' ? name : '';
}

function mergedDocument(name: string, parts: RowParts, template: Template): Document {
  const { table, schema, filling } = template;
  const value = mergeRows(parts, '', schema, { name, table, found: filling.found });
  const rows = parts.map(({ of }) => of.row);
  const start = { ...filling.origins.start, row: rowText(table, rows) };
  return { value, origins: laterOrigins(start, () => mergedOrigins(rows, template)) };
}

/** Merges the rows of an object once more, now with the places of its values: few objects need them. */
function mergedOrigins(rows: readonly TableRow[], template: Template): Origins {
  const { table, schema, filling } = template;
  const parts = rows.map((row) => partOf(row, template)) as unknown as RowParts;
  const places = new Map<Pointer, Place>();
  mergeRows(parts, '', schema, { name: '', table, places, found: [] });
  return layeredOrigins(filling.origins, places);
}

/** Finds cells in use that cannot be trusted, such as the error of a formula; of a short row only the first. */
function cellFindings({ table, filling: { origins } }: Template, columns: RowScope['columns']): Diagnostic[] {
  const used = [...columns].flatMap(([pointer, headers]) =>
    headers.map((header) => ({ pointer, header, ...(table.find(header) as ColumnPlace & { is: 'at' }) })),
  );
  return table.rows.flatMap((row) =>
    (row.faults ?? []).flatMap((fault): Diagnostic[] => {
      const place = used.find(({ index }) => isFaultOf(fault, index));
      if (place === undefined) return [];
      const { pointer, header } = place;
      const message = `The cell in column "${header}" ${fault.says}.`;
      const origin = { ...origins.value(pointer), row: rowText(table, [row], [header]) };
      return [withHint({ severity: 'error', code: fault.code, message, origin }, fault.hint)];
    }),
  );
}

const unnamed = ({ of: { origins } }: RowPart, columns: readonly string[] = []): Diagnostic => ({
  severity: 'error',
  code: 'row-unnamed',
  message: `A row has no name: ${columns.map((column) => `"${column}"`).join(' and ')} is empty.`,
  hint: 'Fill the cell, leave the row out with `where`, or use `fillDown` if the row belongs to the name above it.',
  origin: origins.value(NAME),
});

const tooMany = (count: number): ReferenceFinding => ({
  code: 'for-each',
  message: `\`forEach\` describes ${count} objects; at most ${MOST_ITEMS} are allowed.`,
});

const ofJob = (kind: string): ReferenceFinding => ({
  code: 'for-each-job',
  message: `\`forEach\` makes objects of rows, and an ${kind} creates no object.`,
  hint: 'An Import reads its rows itself: name the file in `spec.source`.',
});

const noRows = ({ name }: RowTable): ReferenceFinding => ({
  code: 'rows-none',
  message: `${name} has no rows, so the manifest describes nothing.`,
  hint: 'Check `headerRow`, `worksheet` and `where`, and that the export is complete. If the list is meant to be empty, remove the manifest.',
});
