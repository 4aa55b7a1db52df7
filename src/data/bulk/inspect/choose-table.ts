import type { ImportSource } from '#core/jobs/source.js';
import { columnLetters } from '../source/cell-range.js';
import { openRawTable } from '../source/open-source.js';
import { areLabelled } from './assembly-title.js';
import { roleNamed } from './column-names.js';
import { type FoundTable, rangeText, TableFinder } from './find-tables.js';
import { joinBlocks, tableHeader } from './join-blocks.js';
import { type FoundHeader, findHeader } from './table-header.js';
import { addedName, withTitles } from './title-column.js';

/** A part of the file besides the chosen table. */
export interface OtherTable {
  readonly worksheet?: string;
  readonly range: string;
  /** Rows with a value, including a header. */
  readonly rows: number;
  /** `table`: more than two rows and one column. `text`: the rest, such as titles, labelled values and summaries. */
  readonly is: 'table' | 'text';
}

/** The table to read, and the source settings that locate it. */
export interface ChosenTable {
  readonly source: ImportSource;
  readonly others: readonly OtherTable[];
  /** What ends the table, if there is something below it. */
  readonly end?: 'blank row' | 'last row';
  readonly table?: FoundTable;
  /** The other tables, each as the one to read. */
  readonly further: readonly FurtherTable[];
}

/** One of the other tables. */
export interface FurtherTable {
  readonly other: OtherTable;
  readonly chosen: ChosenTable;
}

interface Sheet {
  readonly worksheet?: string;
  readonly tables: readonly FoundTable[];
}

interface Place {
  readonly sheet: Sheet;
  readonly table: FoundTable;
}

/**
 * Chooses the fullest table of all worksheets, or of those that `given` names, with those of other worksheets that have
 * its header. Keeps what `given` says about its place, and does not search for a range or a header that it states.
 */
export async function chooseTable(path: string, given: ImportSource, signal: AbortSignal): Promise<ChosenTable> {
  const sheets = await sheetsOf(path, given, signal);
  const all = sheets.flatMap((sheet) => sheet.tables.map((table) => ({ sheet, table })));
  const [first] = all.filter(({ sheet }) => given.worksheet === undefined || sheet.worksheet === sheets[0]?.worksheet);
  const best = all
    .filter(({ sheet }) => sheet.worksheet === first?.sheet.worksheet || given.worksheet === undefined)
    .reduce<Place | undefined>(
      (one, other) => (one === undefined || fullness(other.table) > fullness(one.table) ? other : one),
      undefined,
    );
  const isStated = given.headerRow !== undefined || given.range !== undefined || given.header !== undefined;
  if (best === undefined) return { source: given, others: [], further: [] };
  const names = sheets.flatMap(({ worksheet, tables }) => (tables.length === 0 ? [] : (worksheet ?? [])));
  const named = given.worksheet === undefined && sheets.length > 1 ? withSheet(given, best) : given;
  if (isStated) return { source: named, others: [], further: [], table: best.table };
  const read = given.worksheet === undefined ? withSameElsewhere(best, all) : [best];
  const lead = read[0] ?? best;
  const rest = all.filter((one) => !read.includes(one));
  const others = rest.map(({ sheet, table }) => otherTable(sheet, table));
  const source = read.length === 1 ? named : withSheets(given, read, names);
  const further = rest.map((place, index): FurtherTable => {
    const own = all.filter((one) => one !== place && one.sheet === place.sheet).map(({ table }) => table);
    const alone = placed(sheets.length > 1 ? withSheet(ofFile(given), place) : ofFile(given), place.table, own);
    return { other: others[index] as OtherTable, chosen: { ...alone, others: [], further: [], table: place.table } };
  });
  return { ...placed(source, lead.table, restOf(read, rest)), others, further, table: lead.table };
}

/** Without the options that name columns, which other tables do not have. */
const ofFile = ({
  where: _,
  fillDown: __,
  wrapped: ___,
  stopAt: ____,
  rename: _____,
  ...given
}: ImportSource): ImportSource => given;

const withSheet = (given: ImportSource, { sheet: { worksheet } }: Place): ImportSource =>
  worksheet === undefined ? given : { ...given, worksheet };

/**
 * The best table with those of other worksheets that have its header, in the order of the worksheets; alone if it is
 * unknown where one of them ends.
 */
function withSameElsewhere(best: Place, all: readonly Place[]): Place[] {
  const header = tableHeader(best.table);
  const isSame = ({ sheet, table }: Place): boolean =>
    sheet !== best.sheet && header !== undefined && table.rows > 1 && tableHeader(table) === header;
  const read = all.filter((one) => one === best || isSame(one));
  const isFollowed = read.some(({ sheet, table }) => sheet.tables.some(({ top }) => top > table.bottom));
  const isOpen = read.some(({ table }) => table.holds === 'blank rows' || table.blocks === 'untitled');
  const isBesideOther = read.some(
    ({ sheet, table }) =>
      sheet !== best.sheet && sheet.tables.some((other) => other !== table && isBeside(other, table)),
  );
  const isTwice = new Set(read.map(({ sheet }) => sheet)).size < read.length;
  return (isFollowed && isOpen) || isBesideOther || isTwice ? [best] : read;
}

/** Reads several worksheets, with the name of each as a column. `names`: those of all that are shown. */
function withSheets(source: ImportSource, places: readonly Place[], names: readonly string[]): ImportSource {
  const read = places.flatMap(({ sheet }) => sheet.worksheet ?? []);
  const header = addedName(places[0]?.table, read, 'Worksheet');
  return {
    ...source,
    worksheet: read.length === names.length ? '*' : read,
    columns: { ...source.columns, [header]: { is: 'worksheet' } },
  };
}

/** What stands around the tables that are read, on their sheets, in relation to the first of them. */
const restOf = ([lead, ...others]: readonly Place[], rest: readonly Place[]): FoundTable[] => [
  ...rest.filter(({ sheet }) => sheet === lead?.sheet).map(({ table }) => table),
  ...others.flatMap(({ sheet, table }) =>
    sheet.tables
      .filter(({ top }) => top > table.bottom)
      .map((other) => ({ ...other, top: (lead?.table.bottom ?? 0) + 1 })),
  ),
];

/** Number of filled cells; a single row does not count as a table, and one of coordinates only if there is no other. */
const fullness = ({ rows, filled, head }: FoundTable): number => (rows < 2 ? 0 : areCoordinates(head) ? 1 : filled);

/** Whether a table says where parts are placed, and not which they are. */
function areCoordinates(head: FoundTable['head']): boolean {
  const { row } = findHeader(head);
  const roles = (head.find((line) => line.row === row)?.cells ?? []).map(roleNamed);
  return (
    roles.filter((role) => role === 'placement').length >= 2 &&
    !(['number', 'mpn', 'quantity', 'value'] as const).some((role) => roles.includes(role))
  );
}

function otherTable({ worksheet }: Sheet, table: FoundTable): OtherTable {
  const { rows, right, left, head } = table;
  return {
    ...(worksheet === undefined ? {} : { worksheet }),
    range: rangeText(table),
    rows,
    is: rows > 2 && right > left && !areLabelled(head) ? 'table' : 'text',
  };
}

async function sheetsOf(path: string, given: ImportSource, signal: AbortSignal): Promise<Sheet[]> {
  const { worksheet, worksheets = [] } = await opened(path, given);
  const names = worksheets.filter(({ state }) => state === 'shown').map(({ name }) => name);
  const all = worksheet === undefined ? [undefined] : [worksheet, ...names.filter((name) => name !== worksheet)];
  const sheets: Sheet[] = [];
  for (const name of all) {
    const tables = await tablesOf(path, name === undefined ? given : { ...given, worksheet: name }, signal);
    const joined = joinBlocks(tables);
    sheets.push(name === undefined ? { tables: joined } : { worksheet: name, tables: joined });
  }
  return sheets;
}

async function opened(path: string, given: ImportSource) {
  const raw = await openRawTable(path, given);
  await raw.batches.return(undefined);
  return raw;
}

/** Finds the tables of the sheet, as far as it can be read. */
async function tablesOf(path: string, source: ImportSource, signal: AbortSignal): Promise<FoundTable[]> {
  const { batches } = await openRawTable(path, source);
  const finder = new TableFinder();
  try {
    for await (const rows of batches) {
      for (const row of rows) finder.add(row);
      if (signal.aborted) break;
    }
  } catch {
    return finder.tables();
  }
  return finder.tables();
}

/** Source settings that read the table and nothing beside or below it. */
function placed(
  given: ImportSource,
  table: FoundTable,
  rest: readonly FoundTable[],
): Pick<ChosenTable, 'source' | 'end'> {
  const header = findHeader(table.head);
  const last = table.blocks === undefined ? table.bottom : table.top;
  const below = rest.some((other) => other.top > last && !isBeside(other, table));
  const end = !below ? undefined : table.holds === 'rows' && given.stopAt === undefined ? 'blank row' : 'last row';
  const { top, part } = partOf(table, header, rest, end);
  return {
    source: {
      ...given,
      ...headerOf(header, part === undefined ? top : undefined),
      ...(part === undefined ? {} : { range: part }),
      ...(header.comment === undefined || given.comment !== undefined ? {} : { comment: header.comment }),
      ...(end === 'blank row' ? { stopAt: 'blank' as const } : {}),
      ...(table.blocks === 'titled' ? withTitles(given, table, table.titles ?? []) : {}),
    },
    ...(end === undefined ? {} : { end }),
  };
}

const isBeside = (one: FoundTable, { top, bottom, left, right }: FoundTable): boolean =>
  one.bottom >= top && one.top <= bottom && (one.left > right || one.right < left);

function headerOf({ rows }: FoundHeader, headerRow: number | undefined): Pick<ImportSource, 'header' | 'headerRow'> {
  if (rows === 0) return { header: 'none' };
  return { ...(headerRow === undefined ? {} : { headerRow }), ...(rows === 1 ? {} : { header: { rows } }) };
}

/** Returns a range if the table does not fill its sheet, otherwise the row of its header. */
function partOf(
  table: FoundTable,
  { row, rows, firstRow, comment }: FoundHeader,
  rest: readonly FoundTable[],
  end: ChosenTable['end'],
): { top: number | undefined; part: string | undefined } {
  const top = row ?? firstRow;
  const [from, to] = [columnLetters(table.left), columnLetters(table.right)];
  if (end === 'last row') return { top, part: `${from}${top}:${to}${table.bottom}` };
  const isFirst = table.top === top && rest.every((other) => other.top > top);
  const isLate = rows === 0 && comment === undefined && top > 1;
  if (rest.some((other) => isBeside(other, table)) || table.left > 0 || isLate)
    return { top, part: top === 1 ? `${from}:${to}` : `${from}${top}:${to}` };
  return { top: isFirst || comment !== undefined ? undefined : top, part: undefined };
}
