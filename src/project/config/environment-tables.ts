import { type Diagnostic, hasErrors } from '#base/diagnostics.js';
import type { ListPlace } from '#core/manifest/interpolate.js';
import { layeredOrigins, type Place, rowOrigins } from '#core/manifest/layered-origins.js';
import { type RowScope, readCell } from '#core/manifest/row-scope.js';
import { type RowTable, rowText, type TableRow } from '#core/manifest/row-table.js';
import type { Document, Origins } from '#core/model/document.js';
import { isObject, type JsonObject } from '#core/model/json.js';
import { type Pointer, pointerKeys, pointerTo } from '#core/model/pointer.js';
import { overrideKey } from './override-key.js';

/** The row that an environment comes from. */
export interface EnvironmentRow {
  /** Its cells, by the variables of the process that `passwordCommand` finds them in. */
  readonly cells: Readonly<Record<string, string>>;
  /** The texts with cells among the values of variables. */
  readonly values: readonly RowValue[];
  /** The entry of `environments` that it fills in, by its name. */
  readonly block: string;
  readonly template: JsonObject;
}

/** A value of a variable that comes from a row. */
export interface RowValue {
  /** `var.city`; in a map or list `var.plant.city` and `var.cities[0]`. */
  readonly reference: string;
  readonly value: string;
}

/** Reads the list that `from` names. */
export type ReadTable = (
  place: ListPlace,
) => Promise<{ readonly table?: RowTable; readonly diagnostics: readonly Diagnostic[] }>;

/** A configuration that has an environment for each row of its tables. */
export interface WithTables {
  readonly document: Document;
  readonly rows: ReadonlyMap<string, EnvironmentRow>;
  readonly diagnostics: readonly Diagnostic[];
}

/** One entry of `environments` with `from`, and its table. */
interface Template {
  readonly settings: JsonObject;
  readonly at: Pointer;
  readonly origins: Origins;
  readonly table: RowTable;
}

/** An environment that a row describes. */
interface RowEnvironment {
  readonly name: string;
  readonly settings: JsonObject;
  readonly row: TableRow;
  readonly values: readonly RowValue[];
  readonly place: Place;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Settings in which an empty cell would lead elsewhere. */
const NEEDED = ['/name', '/url', '/credentials/email', '/credentials/workspaceId'];

/** Makes an environment of each row of the tables that a configuration of a valid shape names. */
export async function readTables(document: Document, read: ReadTable): Promise<WithTables> {
  const { environments } = document.value as { readonly environments: Readonly<Record<string, JsonObject | null>> };
  const all = new Map<string, JsonObject | null>();
  const rows = new Map<string, EnvironmentRow>();
  const places = new Map<Pointer, Place>();
  const diagnostics: Diagnostic[] = [];
  for (const [entry, settings] of Object.entries(environments)) {
    const at = pointerTo('/environments', entry);
    const { from, ...rest } = settings ?? {};
    if (from === undefined || from === null) {
      all.set(entry, settings);
      diagnostics.push(...outsideTable(rest, at, document.origins));
      continue;
    }
    const { table, diagnostics: found } = await read(placeOf(from, at, document.origins));
    diagnostics.push(...found);
    if (table === undefined) continue;
    const template = { settings: { name: '${row.name}', ...rest }, at, origins: document.origins, table };
    for (const one of rowEnvironments(template, diagnostics)) {
      if (all.has(one.name) || Object.hasOwn(environments, one.name)) diagnostics.push(twice(one, template));
      all.set(one.name, one.settings);
      rows.set(one.name, {
        cells: cellsOf(one.row, table),
        values: one.values,
        block: entry,
        template: settings ?? {},
      });
      places.set(pointerTo('/environments', one.name), one.place);
    }
  }
  const value = { ...(document.value as JsonObject), environments: Object.fromEntries(all) };
  return { document: { value, origins: layeredOrigins(document.origins, places) }, rows, diagnostics };
}

const placeOf = (from: unknown, at: Pointer, origins: Origins): ListPlace => {
  const origin = origins.value(pointerTo(at, 'from'));
  const source = (typeof from === 'string' ? { file: from } : from) as ListPlace['source'];
  return { source, origins: { ...origins, start: origin, value: () => origin } };
};

function rowEnvironments(template: Template, diagnostics: Diagnostic[]): RowEnvironment[] {
  const { table, at, origins } = template;
  const wrong = templateFindings(template);
  diagnostics.push(...wrong);
  if (hasErrors(wrong)) return [];
  return table.rows.flatMap((row) => {
    const place = {
      pointer: at,
      origins: rowOrigins(origins, new Map(), (columns) => rowText(table, [row], columns)),
    };
    const filling = newFilling({ ...template, origins: place.origins }, row);
    const { name, ...settings } = fillCells(template.settings, '', filling) as JsonObject;
    const found = [...filling.found, ...nameFindings(name, filling)];
    diagnostics.push(...found);
    return found.length > 0 ? [] : [{ name: String(name), settings, row, values: filling.values, place }];
  });
}

/** What is wrong with each row, found with a row of empty cells. */
function templateFindings(template: Template): Diagnostic[] {
  const { settings, at, origins, table } = template;
  const filling = newFilling(template, { row: 0, cells: [] });
  fillCells(settings, '', filling);
  const found = filling.found.filter(({ code }) => code !== EMPTY);
  const commands = ['credentials', 'readCredentials'].flatMap((login): Diagnostic[] => {
    const { passwordCommand } = (settings[login] ?? {}) as JsonObject;
    const [, column] = /\$\{row\.([^{}]*)\}/.exec(String(passwordCommand)) ?? [];
    if (column === undefined) return [];
    const message = 'A cell cannot become a part of a command.';
    const hint = `Write \`$${variableOf(column)}\`: the command finds each cell of its row in such a variable.`;
    const origin = origins.value(pointerTo(pointerTo(at, login), 'passwordCommand'));
    return [{ severity: 'error', code: 'row-in-command', message, hint, origin }];
  });
  if (table.rows.length > 0) return [...found, ...commands];
  const message = `${table.name} has no rows, so the block describes no environment.`;
  const hint = 'Check `where` and that the file is complete, or remove the block.';
  const none = { code: 'rows-none', message, hint, origin: origins.value(pointerTo(at, 'from')) };
  return [...found, ...commands, { severity: 'error', ...none }];
}

interface Filling {
  readonly at: Pointer;
  readonly origins: Origins;
  readonly row: RowScope;
  readonly found: Diagnostic[];
  readonly values: RowValue[];
  /** What is filled in. */
  readonly settings: JsonObject;
}

const newFilling = ({ settings, at, origins, table }: Template, row: TableRow): Filling => ({
  ...{ settings, at, origins, found: [], values: [] },
  row: { table, row, schema: {}, columns: new Map(), counts: { empty: 0, filled: 0 } },
});

const EMPTY = 'row-empty';

/** Fills in `${row.COLUMN}`. What comes from an empty cell alone is left out, unless the environment needs it. */
function fillCells(value: unknown, below: Pointer, filling: Filling): unknown {
  if (typeof value === 'string') return below.endsWith('/passwordCommand') ? value : fillText(value, below, filling);
  if (Array.isArray(value))
    return value
      .map((entry, index) => fillCells(entry, pointerTo(below, index), filling))
      .filter((entry) => entry !== undefined);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, entry]) => [key, fillCells(entry, pointerTo(below, key), filling)]);
  return Object.fromEntries(members.filter(([, entry]) => entry !== undefined));
}

function fillText(text: string, below: Pointer, filling: Filling): string | undefined {
  const { row, found, at, origins } = filling;
  const add = (finding: Pick<Diagnostic, 'code' | 'message' | 'hint'>): string => {
    found.push({ severity: 'error', ...finding, origin: origins.value(`${at}${below}`) });
    return '';
  };
  const filled = text.replaceAll(CELL, (_, column: string) => {
    const cell = readCell(row, column, below);
    if ('code' in cell) return add(cell);
    const value = String(cell.value);
    // Otherwise a table could read any variable of the process.
    if (value.includes('${'))
      return add({ code: 'row-reference', message: `The cell in column "${column}" contains \`\${\`.` });
    if (value === '' && NEEDED.includes(below)) return add(emptyCell(below, column));
    return value;
  });
  if (filled === '') return text === '' ? text : undefined;
  if (filled !== text && below.startsWith('/variables/'))
    filling.values.push({ reference: referenceTo(below, filling.settings), value: filled });
  return filled;
}

/** `/variables/cities/0` as a reference: `var.cities[0]`. */
function referenceTo(pointer: Pointer, settings: JsonObject): string {
  let text = 'var';
  let at: unknown = settings.variables;
  for (const key of pointerKeys(pointer).slice(1)) {
    text += Array.isArray(at) ? `[${key}]` : `.${key}`;
    at = (at as JsonObject)[key];
  }
  return text;
}

const CELL = /\$\{row\.([^{}]*)\}/g;

const emptyCell = (below: Pointer, column: string) => ({
  code: EMPTY,
  message: `The cell in column "${column}" is empty, and the environment needs it for \`${below.slice(1).replaceAll('/', '.')}\`.`,
  hint: 'Fill the cell, or leave the row out with `from: { file: FILE, where: … }`.',
});

function nameFindings(name: unknown, { found, at, origins }: Filling): Diagnostic[] {
  if (found.length > 0 || NAME.test(String(name))) return [];
  const message = `"${String(name)}" cannot be the name of an environment.`;
  const hint = 'Names have letters, digits, ".", "_" and "-", and begin with a letter or digit.';
  return [{ severity: 'error', code: 'environment-name', message, hint, origin: origins.value(pointerTo(at, 'name')) }];
}

const twice = ({ name, place }: RowEnvironment, { at }: Template): Diagnostic => ({
  severity: 'error',
  code: 'environment-repeated',
  message: `There are two environments "${name}".`,
  hint: 'Remove one of them, or write another `name`, such as `${row.Region}-${row.Site}`.',
  origin: place.origins.value(pointerTo(at, 'name')),
});

/** Finds what has a meaning only where there are rows. */
function outsideTable(value: unknown, at: Pointer, origins: Origins): Diagnostic[] {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, entry]) => outsideTable(entry, pointerTo(at, key), origins));
  if (typeof value !== 'string' || !value.includes('${row.')) return [];
  const message = 'A cell has a value only in an environment with `from`.';
  const hint = 'Add `from: FILE`, which makes an environment of each row of that file.';
  return [{ severity: 'error', code: 'row-outside', message, hint, origin: origins.value(at) }];
}

const cellsOf = ({ cells }: TableRow, { headers }: RowTable): EnvironmentRow['cells'] =>
  Object.fromEntries(headers.map((header, index) => [variableOf(header), (cells[index] ?? '').trim()]));

/** The variable in which `passwordCommand` finds a cell. */
const variableOf = (column: string): string => `ROW_${overrideKey(column)}`;
