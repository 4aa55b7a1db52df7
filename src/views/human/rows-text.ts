import type { Event } from '../../apply/events.js';
import type { Palette } from './palette.js';

const SHOWN = 20;
const SHOWN_GROUPS = 10;

type Rows = Extract<Event, { type: 'rows' }>;
type RowError = Rows['outcome']['errors']['kept'][number];

/** The failed rows of an import: each at its place in the source, then grouped by cause. */
export function rowsText({ address, file, outcome }: Rows, palette: Palette): string {
  const { errors, findings, runs } = outcome;
  const number = runs[0]?.number;
  const warnings = findings.map(
    ({ message, hint }) => `${palette.yellow('warning')}  ${message}${hint === undefined ? '' : ` ${hint}`}\n`,
  );
  if (errors.count === 0) return warnings.join('');
  const called = number === undefined ? '' : ` (run #${number})`;
  const head = `\n${palette.bold(`${errors.count} failed ${errors.count === 1 ? 'row' : 'rows'} of ${address}`)}${called}\n`;
  const lines = errors.kept.slice(0, SHOWN).map((error) => rowLine(error, file, palette));
  const hidden = errors.count - lines.length;
  const more = hidden > 0 ? `  ... and ${hidden} more; --json shows the first ${errors.kept.length}.\n` : '';
  const groups = errors.groups.length === errors.count ? '' : groupLines(outcome, palette);
  return `${head}${lines.join('')}${more}${groups}${warnings.join('')}`;
}

function rowLine(
  { row, worksheet, key, column, value, code, message, doubt }: RowError,
  file: string,
  palette: Palette,
): string {
  const place = `${file}${worksheet === undefined ? '' : ` (${worksheet})`}${row === undefined ? '' : `:${row}`}`;
  const cell = column === undefined ? '' : `  ${column} = ${JSON.stringify(value ?? '')}`;
  const said = code === undefined ? message : `${message} ${palette.dim(`(${code})`)}`;
  const doubtful = doubt === undefined ? '' : `\n      ${palette.yellow(doubt)}`;
  return `  ${palette.red(place)}  ${palette.bold(key)}${cell}\n      ${said}${doubtful}\n`;
}

function groupLines({ errors }: Rows['outcome'], palette: Palette): string {
  const lines = errors.groups
    .slice(0, SHOWN_GROUPS)
    .map(({ count, message }) => `    ${String(count).padStart(6)} x ${message}\n`);
  return `  ${palette.bold('By cause')}\n${lines.join('')}`;
}
