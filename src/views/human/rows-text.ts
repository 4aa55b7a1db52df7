import { quoted } from '../../printable.js';
import type { Event } from '../../stream/event.js';
import { causesText } from './causes-text.js';
import { importArgument } from './import-outcome-text.js';
import type { Palette } from './palette.js';
import { runsText } from './run-text.js';

const MOST_ROWS = 20;

type RowsEvent = Extract<Event, { type: 'rows' }>;
type RowError = RowsEvent['outcome']['errors']['kept'][number];

/** The failed rows of an import: why they failed, the first ones at their places in the source, and where all of them are. */
export function rowsText(event: RowsEvent, palette: Palette): string {
  const { address, file, outcome } = event;
  const { errors, findings, runs } = outcome;
  const numbers = runsText(runs.flatMap(({ number }) => (number === undefined ? [] : [number])));
  const warnings = [...findings.map((finding) => warningLine(finding, palette)), ...readBackLines(outcome, palette)];
  if (errors.count === 0) return `${uncommittedText(event, numbers, palette)}${warnings.join('')}`;
  const called = numbers === undefined ? '' : ` (${numbers})`;
  const head = `\n${palette.bold(`${failedRowCount(errors.count)} of ${address}`)}${called}\n`;
  const lines = errors.kept.slice(0, MOST_ROWS).map((error) => rowLine(error, file, palette));
  const hidden = errors.count - lines.length;
  const more = hidden > 0 ? `  ... and ${hidden} more; --json shows the first ${errors.kept.length}.\n` : '';
  const causes = causesText(errors.groups, palette);
  return `${head}${causes}\n${lines.join('')}${more}${filesText(event, palette)}${warnings.join('')}`;
}

function warningLine({ message, hint, file, row, column, value }: RowFinding, palette: Palette): string {
  const cell = column === undefined ? '' : `${palette.bold(`${column} ${quoted(value ?? '')}`)}  `;
  const place = row === undefined ? '' : `${file}:${row}  ${cell}`;
  return `${palette.yellow('warning')}  ${place}${message}${hint === undefined ? '' : ` ${hint}`}\n`;
}

type RowFinding = RowsEvent['outcome']['findings'][number];

function readBackLines({ before, verified }: RowsEvent['outcome'], palette: Palette): string[] {
  const checked =
    verified === undefined
      ? []
      : [
          `  ${verified.checked} ${verified.checked === 1 ? 'row' : 'rows'} read back: ${
            verified.different === 0 ? palette.green('as sent') : palette.red(`${verified.different} differ`)
          }\n`,
        ];
  if (before === undefined) return checked;
  const { rows, path } = before.before;
  const absent = before.absent.rows === 0 ? '' : ` ${before.absent.rows} were not there: ${before.absent.path}.`;
  return [`  ${rows} ${rows === 1 ? 'record' : 'records'} as before the commit: ${path}.${absent}\n`, ...checked];
}

/** Rows that all are good, and wait for a person. */
const uncommittedText = ({ address, outcome }: RowsEvent, runs: string | undefined, palette: Palette): string =>
  outcome.outcome === 'validated'
    ? `  ${address} is not committed yet: ${palette.bold(`dexsync import commit ${importArgument(address, runs)}`)}\n`
    : '';

const failedRowCount = (count: number): string => `${count} failed ${count === 1 ? 'row' : 'rows'}`;

/** `parts.xlsx (Parts):7  Quantity "5"  Message (3230)` */
function rowLine(error: RowError, file: string, palette: Palette): string {
  const { row, worksheet, key, column, value, code, message, doubt } = error;
  const place = `${file}${worksheet === undefined ? '' : ` (${worksheet})`}:${row === undefined ? 'row not found' : row}`;
  const cell = column === undefined ? `"${key}"` : `${column} ${quoted(value ?? key)}`;
  const said = code === undefined ? message : `${message} ${palette.dim(`(${code})`)}`;
  const doubtful = doubt === undefined ? '' : `      ${palette.yellow(doubt)}\n`;
  return `  ${palette.red(place)}  ${palette.bold(cell)}  ${said}\n${doubtful}`;
}

function filesText(event: RowsEvent, palette: Palette): string {
  const { files, outcome } = event;
  if (files === undefined) return '';
  const { failed, unprocessed, page, counts } = files;
  const shown: [string, string][] = [
    [`${counts.failed} failed`, failed],
    ...(counts.unprocessed === 0 ? [] : [[`${counts.unprocessed} not processed`, unprocessed] as [string, string]]),
    ['with filter', page],
  ];
  const width = Math.max(...shown.map(([what]) => what.length));
  const lines = shown.map(([what, path]) => `  ${palette.dim(what.padEnd(width))}  ${path}\n`).join('');
  const number = outcome.runs[0]?.number;
  return `\n${lines}${number === undefined ? '' : nextText(event, number, palette)}`;
}

/** Failed rows are sent once more only beside good ones that were committed. */
function nextText({ outcome, retry }: RowsEvent, number: number, palette: Palette): string {
  if (outcome.outcome === 'committed' && retry === 'whole file') {
    return '  Correct the file and import it again: its rows replace all that their parents have, so the failed ones cannot be sent alone.\n';
  }
  return outcome.outcome === 'committed'
    ? `  Correct the rows in failed.csv, then: ${palette.bold(`dexsync import retry ${number}`)}\n`
    : `  Nothing is committed. Correct the file and import it again, or commit the other rows: ${palette.bold(`dexsync import commit ${number}`)}\n`;
}
