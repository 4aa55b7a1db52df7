import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { quoted } from '#base/printable.js';
import type { ImportSource } from '#core/jobs/source.js';
import { columnLetters, parseRange } from '../source/cell-range.js';
import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import type { SourceNote, SourceTable } from '../source/source-table.js';
import type { ChosenTable } from './choose-table.js';
import type { Column } from './column.js';
import { factCollector } from './column-facts.js';
import { assignRoles } from './column-roles.js';
import { columnSummarizer } from './column-summary.js';
import { dateCollector } from './date-facts.js';
import { excludeHeaders, repeatsHeader } from './exclude-headers.js';
import { excludeCharges, excludeNoParts } from './exclude-no-parts.js';
import { excludeSentences } from './exclude-sentences.js';
import { excludeTitles, type WithoutTitles } from './exclude-titles.js';
import { excludeTotals, type FindRowsAfter, type TableEnd } from './exclude-totals.js';
import { garbledCollector } from './garbled-cells.js';
import { objectListIn } from './objects/object-list.js';
import { eachRowCells } from './row-cells.js';
import { excludeSameBlocks } from './same-blocks.js';
import { placeNames, placeRemarks, withTitles } from './title-column.js';
import { withUnconnected } from './unconnected.js';
import { joinDesignators } from './wrapped-designators.js';

/** The rows of a table in short. */
export interface ReadTable {
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly garbled: readonly SourceNote[];
  /** Why the rows could not be read to their end. */
  readonly problem?: { readonly message: string; readonly hint?: string };
}

/** A table that was read, the source of its manifests, and sentences about what that leaves out or adds. */
export interface ReadChoice extends TableEnd {
  readonly table: SourceTable;
  readonly read: ReadTable;
  readonly remarks: readonly string[];
}

/** Reads the table; reads it again without totals and titles and with the values of merged cells, if it has some. */
export async function readChosen(path: string, given: ChosenTable, signal: AbortSignal): Promise<ReadChoice> {
  const named = await readNameless(path, await readPlain(path, given, signal), signal);
  const blocks = await readBlocks(path, given, named, signal);
  const { source: placed, table, read, joined } = await readWrapped(path, blocks, signal);
  const isOfObjects = objectListIn(read.columns) !== undefined;
  const roles = assignRoles(read.columns, read.rows);
  const same = await excludeSameBlocks(path, placed, read.columns, roles);
  const ended = await excludeTotals(
    { ...given, source: same.source },
    isOfObjects ? [] : read.columns,
    table,
    rowsAfter(path, same.source, read),
  );
  // A supplier of which only the name is known looks like a title.
  const titles: WithoutTitles = isOfObjects
    ? { source: ended.source }
    : await excludeTitles(path, ended.source, read.columns, read.rows);
  const headers = excludeHeaders(titles.source, read.columns);
  const remarked: WithoutTitles = isOfObjects ? headers : excludeSentences(headers.source, roles);
  const parts = await excludeNoParts(path, remarked.source, read.columns, roles);
  const charges: WithoutTitles = isOfObjects
    ? { source: parts.source }
    : await excludeCharges(path, parts.source, read.columns, roles);
  const found = [same, ended, titles, headers, remarked, parts, charges].map(({ remark }) => remark);
  const all = [...placeRemarks(placed, read.columns), named.lettered, joined, ...found, parts.open];
  const remarks = all.flatMap((remark) => remark ?? []);
  const isMerged = table.notes?.().some(({ code }) => code === 'merged-cells') === true;
  const source = isMerged ? { ...charges.source, fillDown: 'merged' as const } : charges.source;
  const whole = source === placed ? { source, table, read } : await readSource(path, source, signal);
  const marked = await withUnconnected(path, whole.source, whole.read.columns, roles);
  const listed = marked.filter(({ name }) => name !== titles.added);
  return { ...ended, remarks, ...whole, read: { ...whole.read, columns: listed } };
}

/** Finds rows that fill most of the columns that nearly all rows fill: what follows a total, but notes and signatures. */
const rowsAfter =
  (path: string, source: ImportSource, { columns, rows }: ReadTable): FindRowsAfter =>
  async (total, totals) => {
    const solid = columns.filter(({ filled, name }) => name !== '' && filled >= rows * 0.7).map(({ name }) => name);
    let found = false;
    await eachRowCells(path, source, solid, (cells, row) => {
      const filled = cells.filter((cell) => cell !== '').length;
      if (row > total && !totals.has(row) && filled > 1 && filled >= solid.length * 0.6) found = true;
    });
    return found;
  };

interface ReadSource {
  readonly source: ImportSource;
  readonly table: SourceTable;
  readonly read: ReadTable;
}

async function readSource(path: string, source: ImportSource, signal: AbortSignal): Promise<ReadSource> {
  const table = await openSource(path, source);
  return { source, table, read: await summarizeTable(table, source, signal) };
}

/** Joins rows that continue those above them. */
async function readWrapped(
  path: string,
  plain: ReadSource,
  signal: AbortSignal,
): Promise<ReadSource & { joined?: string }> {
  const found = joinDesignators(plain.source, plain.read.columns);
  return found === undefined ? plain : { ...(await readSource(path, found.source, signal)), joined: found.remark };
}

/** A line of dashes or the like, which is a cell of its own. */
const LINE = /^([-=_*])\1{2,}$/;

/** What a program prints at the top of each page. */
const PAGE_HEAD = /\b\d{1,2}[./-]\d{1,2}[./-]\d{4}\b|\b\d{4}-\d\d-\d\d\b/;

/** Reads lines of dashes as comments: they divide the pages of a list, and have no column. */
async function readPlain(path: string, { source, table }: ChosenTable, signal: AbortSignal): Promise<ReadSource> {
  const plain = await readSource(path, source, signal);
  if (source.comment !== undefined || table === undefined) return plain;
  const line = plain.read.columns.flatMap(({ alone }) => [...alone.keys()]).find((cell) => LINE.test(cell));
  return line === undefined ? plain : readSource(path, { ...source, comment: line.slice(0, 3) }, signal);
}

/** Names columns that have no header and are at least half full by their letters. */
async function readNameless(
  path: string,
  plain: ReadSource,
  signal: AbortSignal,
): Promise<ReadSource & { lettered?: string }> {
  const { source, table, read } = plain;
  const left = parseRange(source.range ?? '')?.left ?? 0;
  const letters = read.columns
    .filter(({ name, filled }) => name === '' && filled > 1 && filled * 2 >= read.rows)
    .map(({ index }) => table.letters?.[index] ?? columnLetters(index + left));
  if (letters.length === 0 || letters.some((letter) => findColumn(table.headers, letter) !== undefined)) return plain;
  const rename = { ...source.rename, ...Object.fromEntries(letters.map((letter) => [letter, letter])) };
  const lettered = `Columns without a header go by their letters: ${letters.map(quoted).join(', ')}.`;
  return { ...(await readSource(path, { ...source, rename }, signal)), lettered };
}

/** Reads the titles above repeated headers as a column, if there are some. */
async function readBlocks(
  path: string,
  { table }: ChosenTable,
  plain: ReadSource,
  signal: AbortSignal,
): Promise<ReadSource> {
  const { source } = plain;
  if (table === undefined || plain.read.problem !== undefined || !repeatsHeader(plain.read.columns)) return plain;
  const titles = plain.read.columns.flatMap(({ alone }) => [...alone.keys()]);
  const titled = await readSource(path, { ...source, ...withTitles(source, table, titles) }, signal);
  const column = titled.read.columns.find(({ name }) => placeNames(titled.source, 'title').includes(name));
  const found = column?.samples ?? [];
  return found.length > 0 && !found.some((title) => PAGE_HEAD.test(title)) ? titled : plain;
}

async function summarizeTable(table: SourceTable, source: ImportSource, signal: AbortSignal): Promise<ReadTable> {
  const summarizer = columnSummarizer(table.headers);
  const facts = factCollector(table.headers, placeNames(source));
  const garbled = garbledCollector();
  const dates = dateCollector(table.headers.length);
  let rows = 0;
  let problem: ReadTable['problem'];
  try {
    for await (const batch of table.batches) {
      if (signal.aborted) throw new DexsyncError('INTERRUPTED', `Interrupted while reading ${table.file}.`);
      for (const row of batch) {
        summarizer.add(row);
        facts.add(row);
        garbled.add(row);
        dates.add(row);
      }
      rows += batch.length;
    }
  } catch (error) {
    if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
    const { message, hint } = error;
    problem = hint === undefined ? { message } : { message, hint };
  }
  const found = facts.facts();
  const orders = dates.facts();
  const columns = summarizer.columns().map((column, index) => ({
    ...column,
    ...(found[index] as Column),
    ...omitUndefined({ dates: orders[index] }),
    index,
  }));
  return { rows, columns, garbled: garbled.notes(table.headers), ...omitUndefined({ problem }) };
}
