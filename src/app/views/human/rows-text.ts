import { quoted } from '#base/printable.js';
import type { Event } from '#core/stream/event.js';
import { causesText } from './causes-text.js';
import { importArgument } from './import-outcome-text.js';
import type { Palette } from './palette.js';
import { rowPhrase } from './row-phrase.js';
import { runsText } from './run-text.js';

type RowsEvent = Extract<Event, { type: 'rows' }>;

/** Describes failed rows: causes, the first rows at their places in the source, and the files with all. */
export function rowsText(event: RowsEvent, palette: Palette): string {
  const { address, file, outcome } = event;
  const { errors, findings, runs } = outcome;
  const numbers = runsText(runs.flatMap(({ number }) => (number === undefined ? [] : [number])));
  const warnings = [
    ...findings.map((finding) => warningLine(finding, palette)),
    ...changeLines(outcome),
    ...readBackLines(outcome, palette),
  ];
  if (errors.count === 0) return `${uncommittedText(event, numbers, palette)}${warnings.join('')}`;
  const run = numbers === undefined ? '' : ` (${numbers})`;
  const head = `\n${palette.bold(`${failedRowCount(errors.count)} of ${address}`)}${run}\n`;
  return `${head}${causesText(errors, file, palette)}${filesText(event, palette)}${warnings.join('')}`;
}

function warningLine({ message, hint, file, row, column, value }: RowFinding, palette: Palette): string {
  const cell = column === undefined ? '' : `${palette.bold(`${column} ${quoted(value ?? '')}`)}  `;
  const place = row === undefined ? '' : `${file}:${row}  ${cell}`;
  return `${palette.yellow('warning')}  ${place}${message}${hint === undefined ? '' : ` ${hint}`}\n`;
}

type RowFinding = RowsEvent['outcome']['findings'][number];

const differenceText = ({ different, missing }: NonNullable<RowsEvent['outcome']['verified']>): string =>
  missing === 0 ? `${different} differ` : `${different} differ, ${missing} of them had no effect`;

const changeLines = ({ changes = [] }: RowsEvent['outcome']): string[] =>
  changes.map((number) => `  Its items were added to the change ${number}.\n`);

function readBackLines({ before, verified }: RowsEvent['outcome'], palette: Palette): string[] {
  const checked =
    verified === undefined
      ? []
      : [
          `  ${rowPhrase(verified.checked)} read back: ${
            verified.different === 0 ? palette.green('all as sent') : palette.red(differenceText(verified))
          }\n`,
        ];
  if (before === undefined) return checked;
  const { rows, path } = before.before;
  const absent = before.absent.rows === 0 ? '' : ` ${before.absent.rows} did not exist: ${before.absent.path}.`;
  return [
    `  ${rows} ${rows === 1 ? 'record' : 'records'} saved as ${rows === 1 ? 'it was' : 'they were'} before the commit: ${path}.${absent}\n`,
    ...checked,
  ];
}

/** Says how to commit rows that are all valid. */
const uncommittedText = ({ address, outcome }: RowsEvent, runs: string | undefined, palette: Palette): string =>
  outcome.outcome === 'validated'
    ? `  ${address} is validated but not committed. To commit it: ${palette.bold(`dexsync import commit ${importArgument(address, runs)}`)}\n`
    : '';

const failedRowCount = (count: number): string => `${count} failed ${count === 1 ? 'row' : 'rows'}`;

function filesText(event: RowsEvent, palette: Palette): string {
  const { files, outcome } = event;
  if (files === undefined) return '';
  const { failed, unprocessed, page, workbook, counts } = files;
  const shown: [string, string][] = [
    [`${counts.failed} failed`, failed],
    ...(counts.unprocessed === 0 ? [] : [[`${counts.unprocessed} not processed`, unprocessed] as [string, string]]),
    ...(workbook === undefined
      ? []
      : [[workbookTitle(workbook.rows, counts.failed), workbook.path] as [string, string]]),
    ['as a page', page],
  ];
  const width = Math.max(...shown.map(([what]) => what.length));
  const lines = shown.map(([what, path]) => `  ${palette.dim(what.padEnd(width))}  ${path}\n`).join('');
  const number = outcome.runs[0]?.number;
  return `\n${lines}${number === undefined ? '' : nextText(event, number, palette)}`;
}

const workbookTitle = (rows: number, failed: number): string =>
  rows < failed ? `the first ${rows} as a workbook` : 'as a workbook';

/** Only failed rows of an import whose valid rows were committed can be sent alone. */
function nextText({ outcome, retry, files }: RowsEvent, number: number, palette: Palette): string {
  if (outcome.outcome === 'committed' && retry === 'whole file') {
    return '  Correct the file and import it again. The failed rows cannot be sent alone: an import in this mode replaces all that a parent has.\n';
  }
  return outcome.outcome === 'committed'
    ? `  Correct the rows in ${files?.workbook === undefined ? 'failed.csv' : 'failed.csv or failed.xlsx'}, then run ${palette.bold(`dexsync import retry ${number}`)}\n`
    : `  Nothing was committed. Correct the file and import it again, or commit the valid rows: ${palette.bold(`dexsync import commit ${number}`)}\n`;
}
