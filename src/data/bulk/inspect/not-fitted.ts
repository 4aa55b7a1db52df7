import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import type { Column, Roles } from './column.js';
import { roleNamed } from './column-names.js';
import {
  columnsIn,
  columnTexts,
  type Draft,
  flowText,
  LEFT_OUT,
  type OpenColumn,
  withoutValues,
  withRemark,
  withSource,
} from './draft.js';
import type { KnownTable } from './known-table.js';
import type { Meaning } from './meanings.js';
import { eachRowCells } from './row-cells.js';
import { haveRowsBelow, type MarkedCells } from './rows-below.js';

/** Columns whose cells identify records or makers: "DNI" in them is a name. */
const NAMES: ReadonlySet<Meaning | undefined> = new Set([
  ...(['number', 'manufacturer', 'supplier', 'category', 'parent'] as const),
  ...(['refDes', 'level', 'lineNumber', 'path'] as const),
]);

const NO = /^(?:n|no|none|false|0|-|nein|non|nie|nee)$/i;
/** Besides what the facts of a column know as such: texts that mean it only in a column of this kind. */
const UNFITTED =
  /^(?:(?:not?|do not)(?: (?:be|to be))? (?:pop|plac|fit|install|mount|stuff|solder|assembl|load|us|requir|need)\w*\b.*|n\.?[cfi]\.?)$/i;
const MARK_ALONE = /^(?:dn[pifmsu]|not fitted|not a part|do not \p{L}+)(?:\s*[/,;(].*)?$/iu;
/** Columns in which such a mark stands alone. */
const MARKED_ALONE: readonly Meaning[] = ['package', 'mpn', 'supplierPartNumber'];
/** In place of the value of a part. */
const NO_PART = /^(?:NONE|N\/?I)$|\s(?:NS|N\/?I)$/;
/** A column of marks has few different ones. */
const MOST_MARKS = 8;
const NOTHING = /^0+(?:[.,]0+)?$/;
const FITTED = /^(?:f|fit|fitted|populated?|placed?|mounted|installed|assembled|best(?:ü|ue)ckt)$/i;

/**
 * Leaves rows out of a BOM that are marked as not fitted: their parts would be counted as fitted ones. The service takes no
 * quantity of 0 (wire-facts 8.2, 3227), so an attribute of the line distinguishes such lines from others.
 */
export async function withoutUnfitted(
  path: string,
  draft: Draft,
  columns: readonly Column[],
  roles: Roles,
): Promise<Draft> {
  const marks = columns.flatMap((column) => marksOf(column, roles));
  if (marks.length === 0) return draft;
  const rows = await countMarked(path, draft.source, marks);
  if (rows === 0) return draft;
  const shown = marks.map(({ column, values }) => `${flowText(values[0] ?? '')} in "${column}"`).join(', ');
  const found = `${rows === 1 ? '1 row that is' : `${rows} rows that are`} marked as not fitted (${shown})`;
  if (await haveRowsBelow(path, draft, marks))
    return withRemark(draft, `Open: ${found} would be in the BOM: other rows are below.`);
  const source = marks.reduce((one, { column, values }) => withoutValues(one, column, values), draft.source);
  const taken = new Set(draft.mapping.values());
  const open = marks
    .filter(({ column }) => !taken.has(column))
    .map(({ column, values }): OpenColumn => {
      const why = `Marks lines that are not fitted (${flowText(values[0] ?? '')}), if you keep them.`;
      return { column, target: { attribute: column }, why };
    });
  return withRemark(
    { ...withSource(draft, source), open: [...draft.open, ...open] },
    `${LEFT_OUT}${found}.${areItems(draft, marks) ? ` ${rows === 1 ? 'Its part is an item' : 'Their parts are items'}.` : ''} To keep them as lines, remove these conditions from \`where\`${markedBy(open)}; the service takes no quantity of 0.`,
  );
}

/** Whether no mark is in the number of the parts, which leaves the items out, too. */
function areItems({ source, mapping }: Draft, marks: readonly MarkedCells[]): boolean {
  const number = mapping.get('item.number') ?? '';
  const inNumber = columnsIn(columnTexts(source, number)[0] ?? '');
  return !marks.some(({ column }) => inNumber.includes(column));
}

/** Leaves out rows with such a mark in a column that the number of the item has: nothing else says what the part is. */
export function withoutMarks(draft: Draft, columns: readonly Column[], roles: Roles): Draft {
  if ((['level', 'path', 'parent'] as const).some((role) => roles.has(role))) return draft;
  const number = draft.mapping.get('number') ?? '';
  const inNumber = columnsIn(columnTexts(draft.source, number)[0] ?? '');
  const marks = columns.filter(({ name }) => inNumber.includes(name)).flatMap((column) => marksOf(column, roles));
  return withSource(
    draft,
    marks.reduce((one, { column, values }) => withoutValues(one, column, values), draft.source),
  );
}

/** Counts the rows with one of the marks, or with several. */
async function countMarked(path: string, source: ImportSource, marks: readonly MarkedCells[]): Promise<number> {
  let rows = 0;
  const names = marks.map(({ column }) => column);
  await eachRowCells(path, source, names, (cells) => {
    if (marks.some(({ values }, index) => values.includes(cells[index] ?? ''))) rows += 1;
  });
  return rows;
}

/** A source without rows that are not fitted and have no number, and their rows. */
export interface WithoutUnnumbered {
  readonly source: ImportSource;
  readonly rows: readonly number[];
}

/** Leaves out rows that are not fitted and have no number, if all others have one: they would become items. */
export async function withoutUnnumbered(
  path: string,
  { source, columns, roles }: Pick<KnownTable, 'source' | 'columns' | 'roles'>,
): Promise<WithoutUnnumbered> {
  const number = roles.get('number') ?? roles.get('mpn');
  const marks = columns.flatMap((column) => marksOf(column, roles));
  if (number === undefined || marks.length === 0) return { source, rows: [] };
  const empty = ['', ...number.placeholders.keys()];
  const rows: number[] = [];
  let others = 0;
  await eachRowCells(path, source, [number.name, ...marks.map(({ column }) => column)], ([key = '', ...cells], row) => {
    if (!empty.includes(key)) return;
    if (marks.some(({ values }, index) => values.includes(cells[index] ?? ''))) rows.push(row);
    else others += 1;
  });
  return others > 0 || rows.length === 0
    ? { source, rows: [] }
    : { source: withoutValues(source, number.name, empty), rows };
}

const markedBy = (open: readonly OpenColumn[]): string =>
  open.length === 0
    ? ' and give them a number by `values`'
    : ` and map ${open.map(({ column }) => `"${column}"`).join(' and ')} to an attribute of the lines`;

function marksOf({ name, header, filled, unfitted, values }: Column, roles: Roles): MarkedCells[] {
  const [taken] = [...roles].find(([, column]) => column.name === name) ?? [];
  const role = taken ?? roleNamed(header);
  if (name === '' || filled === 0) return [];
  if (role === 'unfitted' || role === 'fitted')
    return marksByRole({ name, header, unfitted, ...omitUndefined({ values }) }, role);
  if (role !== undefined && MARKED_ALONE.includes(role))
    return marksAmong(name, unfitted, (value) => MARK_ALONE.test(value));
  if (NAMES.has(role)) return [];
  // "nach Bedarf": as required.
  const marked =
    role === 'quantity' ? new Map([...unfitted].filter(([value]) => !/^n\.\s?b\.$/i.test(value))) : unfitted;
  // A 0 among the pieces of a pack, or in stock, says nothing about the assembly.
  const isMark = role === undefined || (role === 'quantity' && taken !== role) ? undefined : MARKS[role];
  return marksAmong(name, (isMark && values) ?? marked, (value) => marked.has(value) || isMark?.test(value) === true);
}

/** What marks a row in columns of some roles, besides what does in each. */
const MARKS: Partial<Record<Meaning, RegExp>> = { quantity: NOTHING, notes: UNFITTED, value: NO_PART };

/** The marks of a column that says which parts are fitted. */
function marksByRole(
  { name, header, unfitted, values }: Pick<Column, 'name' | 'header' | 'unfitted' | 'values'>,
  role: 'fitted' | 'unfitted',
): MarkedCells[] {
  if (values === undefined || values.size > MOST_MARKS) return [];
  // A column of remarks that a person calls so has other texts, too.
  const isOfRemarks = role === 'unfitted' && roleNamed(header) !== role && unfitted.size > 0;
  return marksAmong(name, values, (value) => (isOfRemarks ? unfitted.has(value) : isUnfitted(value, role, unfitted)));
}

/** Whether a cell of a column that says which parts are fitted says that one is not. */
function isUnfitted(value: string, role: 'fitted' | 'unfitted', unfitted: ReadonlyMap<string, number>): boolean {
  if (role === 'unfitted') return !NO.test(value) && !FITTED.test(value);
  return NO.test(value) || UNFITTED.test(value) || unfitted.has(value);
}

function marksAmong(
  column: string,
  counts: ReadonlyMap<string, number>,
  isMark: (value: string) => boolean,
): MarkedCells[] {
  const found = [...counts].filter(([value]) => isMark(value));
  if (found.length === 0) return [];
  return [{ column, values: found.map(([value]) => value) }];
}
