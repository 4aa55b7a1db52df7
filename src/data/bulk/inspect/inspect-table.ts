import { stat } from 'node:fs/promises';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Encoding, ImportSource } from '#core/jobs/source.js';
import { type HeaderCandidate, headerCandidates } from '../source/header-guess.js';
import { openRawTable } from '../source/open-source.js';
import type { RawTable } from '../source/raw-table.js';
import { isEmpty, type SourceNote, type SourceTable } from '../source/source-table.js';
import { assemblyTitle, rowsAbove } from './assembly-title.js';
import { type ChosenTable, chooseTable, type OtherTable } from './choose-table.js';
import type { Column } from './column.js';
import { assignRoles, checkMeanings } from './column-roles.js';
import type { ColumnSummary } from './column-summary.js';
import { constantColumns } from './constant-columns.js';
import { divideConditions } from './divide-conditions.js';
import { withRemark } from './draft.js';
import type { TableEnd } from './exclude-totals.js';
import { joinProposals } from './join-proposals.js';
import type { LookedUpParts, LookUp } from './known-items.js';
import type { GivenMeanings, Meaning } from './meanings.js';
import {
  buildProposal,
  type InspectedTable,
  meaningsIn,
  type Proposal,
  type ProposedDrafts,
  proposeDrafts,
} from './propose.js';
import { proposeFurther } from './propose-further.js';
import { withRangeHeader } from './range-header.js';
import { type ReadTable, readChosen } from './read-chosen.js';
import { readableSource } from './readable-source.js';
import { withSheetRows } from './sheet-rows.js';
import { sourceToPropose } from './source-to-propose.js';
import { withSpacedHeader } from './spaced-header.js';
import { tableMeanings } from './table-meanings.js';
import { placeNames } from './title-column.js';
import { whereUsed } from './where-used.js';

/** Content of a file, and manifests to start from. */
export interface Inspection {
  readonly file: string;
  readonly bytes: number;
  readonly form: 'text' | 'workbook';
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  readonly worksheets?: readonly InspectedSheet[];
  readonly worksheet?: string;
  /** The worksheets that are read as one table. */
  readonly read?: readonly string[];
  /** Best first; an option may have selected another one. */
  readonly headerCandidates: readonly HeaderCandidate[];
  readonly headerRow: number;
  /** `none`: the columns have letters for names. */
  readonly header?: 'none';
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
  /** Parts of the file besides the table that was read. */
  readonly others: readonly OtherTable[];
  readonly notes: readonly SourceNote[];
  /** Where and why reading the table ended before the file did. */
  readonly end?: { readonly row: number; readonly why: string };
  /** Reason why the rows could not be read to their end. */
  readonly problem?: { readonly message: string; readonly hint?: string };
  /** What a workspace knows of the makers' numbers; absent if none were looked up. */
  readonly lookedUp?: LookedUpParts;
  readonly proposal: Proposal;
}

/** One worksheet of a workbook. */
export interface InspectedSheet {
  readonly name: string;
  readonly state: 'shown' | 'hidden';
  /** The range in use, if the workbook states it. */
  readonly range?: string;
}

const MOST_CANDIDATES = 3;

/** The file of a source. */
export interface SourceFile {
  readonly path: string;
  /** Name of the file in the source. */
  readonly file: string;
}

/** How the table of a file is proposed. */
export interface ProposalOptions {
  /** What people say that its columns mean. */
  readonly meanings?: GivenMeanings;
  /** Drafts by the settings of another list; by default they are proposed. */
  readonly like?: (table: InspectedTable) => Promise<ProposedDrafts>;
  readonly lookUp?: LookUp;
  /** Number of the item that the lines of a BOM belong to, if no row is that item. */
  readonly assembly?: string;
  /** What a project knows of the list, as a sentence. */
  readonly known?: string;
}

/** Inspects a file. Memory stays flat except for the item numbers, 18 bytes each, and for rows that are looked up. Throws USAGE for a
 * meaning of no column. */
export async function inspectTable(
  { path, file }: SourceFile,
  asked: ImportSource,
  signal: AbortSignal,
  { meanings = {}, like, lookUp, assembly, known: ofProject }: ProposalOptions = {},
): Promise<{ inspection: Inspection; proposed: ProposedDrafts }> {
  const readable = await readableSource(path, { ...asked, file });
  const { source: named, remarks: ofRange } = await withRangeHeader(path, await withSpacedHeader(path, readable));
  const raw = await openRawTable(path, named);
  await raw.batches.return(undefined);
  const chosen = await divideConditions(path, await chooseTable(path, named, signal), named);
  const further = await proposeFurther(path, like === undefined ? chosen.further : [], signal, meanings);
  const left = like === undefined ? { ...chosen, others: further.left } : chosen;
  const { table, read, source, end, unread, remarks } = await readChosen(path, left, signal);
  const tables = tablesOf(chosen, table);
  const outline = chosen.table?.outline === undefined ? {} : { outline: 'outline' as const };
  const { above, title } = await titleOf(path, source, table, assembly);
  const all = [...read.columns, ...constantColumns(source, read.rows)];
  checkMeanings(meanings, [all, ...further.columns]);
  const listed = { path, source, columns: all, ofFile: read.columns, rows: read.rows };
  const understood =
    like === undefined ? await tableMeanings(listed, meanings) : { meanings, source: {}, remarks: [], facts: {} };
  const { meanings: given } = understood;
  const roles = assignRoles(all, read.rows, given);
  const columns = read.columns.filter(({ name }) => given[name] !== 'none');
  const whole = { ...sourceToPropose(source, table), ...understood.source };
  const known = {
    ...{ path, source: whole, columns, roles, meanings: given, rows: read.rows, tables },
    ...omitUndefined({ delimiter: table.delimiter, title, whereUsed: whereUsed(file, above) }),
    ...understood.facts,
  };
  const said = [...ofRange, ...remarks, ...understood.remarks, ...unreadTexts(left, table, { unread, end })];
  const place = { path, worksheet: table.worksheet };
  const draft = async (): Promise<ProposedDrafts> => {
    const main = await proposeDrafts({ ...known, ...outline, ...omitUndefined({ lookUp }) }, signal);
    return joinProposals(place, withRemarks(inSheets(main, table), said), further.proposed);
  };
  const drafted = like === undefined ? await draft() : await like({ ...known, source: named });
  const proposed = ofProject === undefined ? drafted : withRemarks(drafted, [ofProject]);
  const inspection = {
    ...(await fileFacts(path, raw, table)),
    ...tableFacts(left, table, read, meaningsIn(proposed, roles)),
    ...omitUndefined({ end, lookedUp: proposed.lookedUp }),
  };
  return { inspection: { ...inspection, proposal: buildProposal(proposed) }, proposed };
}

/** Whether other worksheets than the one that is read have tables, too. */
const tablesOf = ({ others }: ChosenTable, table: SourceTable): 'one' | 'several' =>
  others.some(({ worksheet, is }) => is === 'table' && worksheet !== table.worksheet) ? 'several' : 'one';

/** The rows above the header, and the assembly that they name, unless a person gave its number. */
async function titleOf(path: string, source: ImportSource, table: SourceTable, assembly: string | undefined) {
  const isTitled = placeNames(source, 'title').length > 0;
  const rows = await rowsAbove(path, source, table);
  // The last one is the title of the first block.
  const above = isTitled ? rows.filter(({ cells }) => !cells.every(isEmpty)).slice(0, -1) : rows;
  const found = assemblyTitle(above, source.file);
  return { above, title: assembly === undefined ? found : { ...found, number: assembly, from: 'option' as const } };
}

/** Lists the parts of the file that no manifest reads, and how to get one for each. */
function unreadTexts(
  { others }: ChosenTable,
  { worksheet }: SourceTable,
  { unread, end }: { readonly unread: number; readonly end?: TableEnd['end'] },
): string[] {
  const tables = others.filter(({ is }) => is === 'table');
  if (tables.length === 0)
    return end === undefined || unread === 0 ? [] : [`Open: reading ends with row ${end.row}: ${end.why}.`];
  return tables.map((other) => {
    const sheet = other.worksheet === undefined || other.worksheet === worksheet ? undefined : other.worksheet;
    const place = sheet === undefined ? other.range : `${other.range} of worksheet "${sheet}"`;
    const option = `${sheet === undefined ? '' : `--worksheet ${JSON.stringify(sheet)} `}--range ${other.range}`;
    return `Open: the table in ${place} is not read. For its manifests, inspect the file with \`${option}\`.`;
  });
}

const inSheets = (proposed: ProposedDrafts, table: SourceTable): ProposedDrafts => ({
  ...proposed,
  drafts: withSheetRows(proposed.drafts, table),
});

function withRemarks(proposed: ProposedDrafts, texts: readonly string[]): ProposedDrafts {
  const [first, ...others] = proposed.drafts;
  return first === undefined ? proposed : { ...proposed, drafts: [texts.reduce(withRemark, first), ...others] };
}

async function fileFacts(
  path: string,
  raw: RawTable,
  { file, encoding, delimiter, worksheet, worksheets: read, headerRow, header }: SourceTable,
) {
  const { worksheets } = raw;
  return {
    file,
    bytes: (await stat(path)).size,
    form: raw.form === 'text' ? ('text' as const) : ('workbook' as const),
    ...omitUndefined({ encoding, delimiter }),
    ...(worksheets === undefined ? {} : { worksheets: worksheets.map(sheetOf) }),
    ...omitUndefined({ worksheet, read }),
    headerRow,
    ...omitUndefined({ header }),
  };
}

function tableFacts(
  { table: found, others }: ChosenTable,
  table: SourceTable,
  { rows, columns, garbled, problem }: ReadTable,
  meanings: ReadonlyMap<string, Meaning>,
) {
  return {
    headerCandidates: headerCandidates(found?.head ?? []).slice(0, MOST_CANDIDATES),
    rows,
    columns: columns.map((column) => ({
      ...summaryOf(column),
      ...omitUndefined({ meaning: meanings.get(column.name) }),
    })),
    others,
    notes: [...(table.notes?.() ?? []), ...garbled],
    ...omitUndefined({ problem }),
  };
}

const summaryOf = ({ header, name, filled, distinct, samples, longest, type, key }: Column): ColumnSummary => ({
  ...{ header, name, filled, distinct, samples, longest, type, key },
});

const sheetOf = ({ name, state, dimension }: NonNullable<RawTable['worksheets']>[number]): InspectedSheet => ({
  name,
  state,
  ...omitUndefined({ range: dimension }),
});
