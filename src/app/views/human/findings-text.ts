import type { Event } from '#core/stream/event.js';
import type { Palette } from './palette.js';

type Found = Extract<Event, { type: 'findings' }>['findings'];
type Group = Found['groups'][number];
type Case = Group['cases'][number];
type Finding = Case['finding'];

/** Number of cases that are shown, in all and of one cause; others are only counted. */
const MOST_CASES = 20;
const MOST_OF_A_CAUSE = 5;

/** Lists the findings of a source file by cause, each with its rows. */
export function findingsText({ findings }: Extract<Event, { type: 'findings' }>, palette: Palette): string {
  const { groups, errors, warnings, byCode } = findings;
  let [left, shown] = [MOST_CASES, 0];
  const text = groups.map((group) => {
    const cases = group.cases.slice(0, Math.min(left, MOST_OF_A_CAUSE));
    if (cases.length === 0) return '';
    left -= cases.length;
    shown += group.count;
    return groupText(group, cases, palette);
  });
  const hidden = errors + warnings - shown;
  return `${text.join('')}${hidden > 0 ? hiddenText(hidden, { errors, warnings, byCode }) : ''}\n`;
}

function hiddenText(
  hidden: number,
  { errors, warnings, byCode }: Pick<Found, 'errors' | 'warnings' | 'byCode'>,
): string {
  const codes = Object.entries(byCode)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `    ${String(count).padStart(6)}  ${code}\n`);
  const all = `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return `... and ${hidden} more (${all} in total). All by cause:\n${codes.join('')}`;
}

/** Heads a single case with its place, and several with the file, the column and their number. */
function groupText(group: Group, cases: readonly Case[], palette: Palette): string {
  const { severity, code, column, count } = group;
  const [first] = cases;
  const word = severity === 'error' ? palette.red('error') : palette.yellow('warning');
  const head = (place: string, more = ''): string => `${palette.bold(place)}  ${word}  ${palette.dim(code)}${more}\n`;
  if (first === undefined) return '';
  if (count === 1) return `${head(placeOf(first.finding))}  ${sentenceOf(first)}\n`;
  const where = column === undefined ? `${count} rows` : `${count} rows, column "${column}"`;
  const others = count - cases.reduce((sum, one) => sum + one.count, 0);
  const lines = cases.map((one) => `  ${sentenceOf(one)} ${palette.dim(rowsText(one))}\n`);
  const rest = others > 0 ? `  ${palette.dim(`... and ${others} more`)}\n` : '';
  return `${head(first.finding.file, `  ${where}`)}${lines.join('')}${rest}`;
}

/** `parts.csv:6`, or `parts.xlsx:Parts!H6`. */
function placeOf({ file, worksheet, row, cell }: Finding): string {
  if (row === undefined) return file;
  return worksheet === undefined ? `${file}:${row}` : `${file}:${worksheet}!${cell ?? row}`;
}

const sentenceOf = ({ finding: { message, hint } }: Case): string =>
  hint === undefined ? message : `${message} ${hint}`;

/** `(Parts!H6)`, or `(12 rows: 2, 5, 9, ...)`. */
function rowsText({ finding, count, rows }: Case): string {
  if (rows.length === 0) return '';
  const letters = finding.cell?.replace(/\d+$/, '') ?? '';
  const listed = `${rows.map((row) => `${letters}${row}`).join(', ')}${count > rows.length ? ', ...' : ''}`;
  const sheet = finding.worksheet === undefined ? '' : `${finding.worksheet}!`;
  if (count === 1) return letters === '' ? `(row ${sheet}${listed})` : `(${sheet}${listed})`;
  return `(${count} ${letters === '' ? 'rows' : 'cells'}: ${sheet}${listed})`;
}
