import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { quoted } from '#base/printable.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { recordFinder } from '../../bulk/compare/find-records.js';
import { normaliseRow } from '../../bulk/preflight/columns.js';
import { joinKey } from '../../bulk/rows/key-index.js';
import { readAllRows } from '../../bulk/rows/spooled-rows.js';
import { allRowsOf, type Job, jobDefinition, jobSpec } from '../job.js';

/** The missing records that may be deleted, and the findings about the others. */
interface Spared {
  readonly gone: readonly RowChange[];
  readonly findings: readonly Diagnostic[];
}

/**
 * Normalises a key, since two that look alike may be one to the service: whether letter case counts is not documented
 * (wire-facts 4, "Key attributes"), and white space does not show.
 */
export const normalizeKey = (key: readonly string[]): string =>
  joinKey(key.map((part) => part.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()));

/** Spares records that the file has after all, in another spelling or in rows that the import skips. */
export async function spareRecords(job: Job, gone: readonly RowChange[]): Promise<Spared> {
  if (gone.length === 0) return { gone, findings: [] };
  const looks = new Set(gone.map(({ key }) => normalizeKey(key)));
  const rows = await looksOfRows(job, looks);
  const leftOut = await looksLeftOut(job, looks);
  const [alike, others] = divide(gone, ({ key }) => rows.looks.has(normalizeKey(key)));
  const [passed, rest] = divide(others, ({ key }) => leftOut.has(normalizeKey(key)));
  const [unsure, sure] = rows.unnumbered === 0 ? [[], rest] : divide(rest, ({ why }) => why !== undefined);
  const say = finding(job);
  return {
    gone: sure,
    findings: [
      ...say('missing-alike', alike, 'its file has the same key with other letter case or white space', SPELL),
      ...say('missing-left-out', passed, `its file has it in a row that ${STEPS} leaves out`, REMOVE),
      ...say(
        'missing-unnumbered',
        unsure,
        'rows of its file leave their number to the service and may mean it',
        REPORT,
      ),
    ],
  };
}

const STEPS = '`where`, `stopAt` or `hidden`';
const SPELL = 'Write the key in the file as the workspace has it.';
const REMOVE = 'Remove the row from the file, or delete the record with an import of mode DELETE.';
const REPORT = 'Write the numbers into the file, or use `missing: report`.';

const finding =
  ({ facts: { address, origin } }: Job) =>
  (code: string, kept: readonly RowChange[], because: string, hint: string): Diagnostic[] => {
    const [first] = kept;
    if (first === undefined) return [];
    const more = kept.length === 1 ? '' : ` (and ${kept.length - 1} more for this reason)`;
    const message = `${address} does not delete ${quoted(first.key.join(' / '))}${more}: ${because}.`;
    return [{ severity: 'warning', code, message, hint, origin }];
  };

function divide<T>(all: readonly T[], isOne: (one: T) => boolean): [those: T[], others: T[]] {
  const [those, others]: [T[], T[]] = [[], []];
  for (const one of all) (isOne(one) ? those : others).push(one);
  return [those, others];
}

/** Which of these keys the rows that are read have, and how many rows have no number of their own. */
async function looksOfRows(job: Job, asked: ReadonlySet<string>) {
  const all = allRowsOf(job);
  const definition = jobDefinition(job);
  const finder = recordFinder(all.columns, definition);
  const byFormat = definition.options?.useCategoryNumberFormat ?? '[Use Category Number Format]';
  const number = all.columns.findIndex(({ fields }) => fields.includes('number'));
  const looks = new Set<string>();
  let unnumbered = 0;
  for await (const { cells } of readAllRows(all)) {
    const { key, guid } = finder.identity(cells);
    const look = normalizeKey(key);
    if (asked.has(look)) looks.add(look);
    const text = (cells[number] ?? '').trim();
    if (guid === '' && (text === '' || text === byFormat)) unnumbered += 1;
  }
  return { looks, unnumbered };
}

/** Which of these keys are in rows of the source that the import does not read. */
async function looksLeftOut(job: Job, asked: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const { where, stopAt, hidden, ...source } = jobSpec(job).source;
  const found = new Set<string>();
  if (where === undefined && stopAt === undefined && hidden !== 'skip') return found;
  try {
    const { columns } = job.prepared;
    const finder = recordFinder(columns, jobDefinition(job));
    for await (const { cells } of (await job.openTable(source)).rows) {
      const look = normalizeKey(finder.identity(normaliseRow(columns, cells)).key);
      if (asked.has(look)) found.add(look);
    }
  } catch (error) {
    // Below the table there may be content that is not a table.
    if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
  }
  return found;
}
