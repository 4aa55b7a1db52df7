import { stat } from 'node:fs/promises';
import { DexsyncError } from '../../errors.js';
import type { Encoding, ImportSource } from '../../jobs/source.js';
import { betterHeader, type HeaderCandidate, headerCandidates } from '../source/header-guess.js';
import { openRawTable, openSource } from '../source/open-source.js';
import type { RawRow, RawTable } from '../source/raw-table.js';
import { isBlank, type SourceNote, type SourceTable } from '../source/source-table.js';
import { type ColumnSummary, columnSummarizer } from './column-summary.js';
import { type Proposal, propose } from './propose.js';

/** What a file holds, and manifests to start from. */
export interface Inspection {
  readonly file: string;
  readonly bytes: number;
  readonly form: 'text' | 'workbook';
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  readonly worksheets?: readonly InspectedSheet[];
  readonly worksheet?: string;
  /** The best first; the one that was taken may be another, where an option names it. */
  readonly headerCandidates: readonly HeaderCandidate[];
  readonly headerRow: number;
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
  readonly notes: readonly SourceNote[];
  /** Why the rows could not be read to their end. */
  readonly problem?: { readonly message: string; readonly hint?: string };
  readonly proposal: Proposal;
}

/** One worksheet of a workbook. */
export interface InspectedSheet {
  readonly name: string;
  readonly state: 'shown' | 'hidden';
  /** The range in use, where the workbook says so. */
  readonly range?: string;
}

const MOST_CANDIDATES = 3;

/** Reads a file once and says what is in it; memory stays flat. `found` is the file that the source means. */
export async function inspectTable(
  { path, file }: { readonly path: string; readonly file: string },
  source: ImportSource,
  signal: AbortSignal,
): Promise<Inspection> {
  const named = { ...source, file };
  const raw = await openRawTable(path, named);
  const first = await firstRows(raw);
  const guessed = { ...named, ...guessHeader(named, first) };
  const table = await openSource(path, guessed);
  const read = await summarizeTable(table, signal);
  const { encoding, delimiter, worksheet, headerRow } = table;
  const { worksheets } = raw;
  return {
    file,
    bytes: (await stat(path)).size,
    form: raw.form === 'text' ? 'text' : 'workbook',
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(worksheets === undefined ? {} : { worksheets: worksheets.map(sheetOf) }),
    ...(worksheet === undefined ? {} : { worksheet }),
    headerCandidates: headerCandidates(first).slice(0, MOST_CANDIDATES),
    headerRow,
    ...read,
    notes: table.notes?.() ?? [],
    proposal: propose(sourceToPropose(source, guessed, table, raw), read.columns),
  };
}

const sheetOf = ({ name, state, dimension }: NonNullable<RawTable['worksheets']>[number]): InspectedSheet => ({
  name,
  state,
  ...(dimension === undefined ? {} : { range: dimension }),
});

/** The rows at the beginning, as far as they come at once. */
async function firstRows(raw: RawTable): Promise<readonly RawRow[]> {
  try {
    const { value = [] } = await raw.batches.next();
    return (value as readonly RawRow[]).filter(({ cells }) => !isBlank(cells));
  } finally {
    await raw.batches.return(undefined);
  }
}

/** The row in the headers' usual place, unless another is clearly better, or an option says where it is. */
function guessHeader(source: ImportSource, rows: readonly RawRow[]): Pick<ImportSource, 'headerRow'> {
  const [usual, ...rest] = rows;
  if (usual === undefined || source.headerRow !== undefined || source.range !== undefined) return {};
  const better = betterHeader(usual, rest);
  return better === undefined ? {} : { headerRow: better.row };
}

async function summarizeTable(
  table: SourceTable,
  signal: AbortSignal,
): Promise<Pick<Inspection, 'rows' | 'columns' | 'problem'>> {
  const summarizer = columnSummarizer(table.headers);
  let rows = 0;
  let problem: Inspection['problem'];
  try {
    for await (const row of table.rows) {
      if (signal.aborted) throw new DexsyncError('INTERRUPTED', `Interrupted while reading ${table.file}.`);
      summarizer.add(row);
      rows += 1;
    }
  } catch (error) {
    if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
    const { message, hint } = error;
    problem = hint === undefined ? { message } : { message, hint };
  }
  return { rows, columns: summarizer.columns(), ...(problem === undefined ? {} : { problem }) };
}

/** What was given and found, without what is taken by default. */
function sourceToPropose(given: ImportSource, guessed: ImportSource, table: SourceTable, raw: RawTable): ImportSource {
  const several = (raw.worksheets?.length ?? 0) > 1 && table.worksheet !== undefined;
  return {
    ...given,
    ...(several ? { worksheet: table.worksheet } : {}),
    ...(guessed.headerRow === undefined ? {} : { headerRow: guessed.headerRow }),
    ...(table.encoding === 'windows-1252' ? { encoding: table.encoding } : {}),
  };
}
