import type { KnownImport } from '#data/imports/known-imports.js';
import type { ListedImports } from '../../operations/list-imports.js';
import type { LiveRun, ShownImport } from '../../operations/show-import.js';
import type { Palette } from './palette.js';
import { tableText } from './table.js';
import { columnTime, timeText } from './time-text.js';

/** The imports of a project, newest first. */
export function importListText(
  { environment, imports }: ListedImports,
  palette: Palette,
  width: number | undefined,
): string {
  if (imports.length === 0) return `No imports have been sent to environment "${environment}".\n`;
  const rows = imports.map((one) => [
    runRange(one.runs),
    columnTime(one.at),
    one.address.slice(one.address.indexOf('/') + 1),
    stateText(one),
    rowCounts(one),
    one.file,
  ]);
  const table = tableText(['RUN', 'WHEN (UTC)', 'IMPORT', 'STATE', 'ROWS', 'FILE'], rows, width);
  const [waiting] = imports.filter(({ state }) => state in NEXT);
  const [partial] = imports.filter(isPartial);
  const next = [
    ...(waiting === undefined ? [] : [continueText(waiting)]),
    ...(partial === undefined ? [] : [missingText(partial)]),
  ];
  return `${table}${next.map((text) => `${palette.dim(text)}\n`).join('')}`;
}

/** One import, with its runs as the service reports them. */
export function importDetailsText(shown: ShownImport, palette: Palette): string {
  const lines: [string, string][] = [
    ['state', `${shown.state} (${timeText(shown.at)}, apply ${shown.apply})`],
    ['rows', rowCounts(shown)],
    ['missing', missingRows(shown)],
    ['retry of', nameOfRuns(shown.retryOf ?? [])],
    ['undone by', undoneText(shown)],
    ['undo of', nameOfRuns(shown.undoOf ?? [])],
    ['file', shown.file],
    ['definition', `ImportDefinition/${shown.definition}`],
  ];
  const facts = lines.filter(([, value]) => value !== '').map(([name, value]) => `  ${name.padEnd(12)}${value}\n`);
  const runs = shown.live.map((run) => `  ${liveRunText(run)}\n`);
  const after = nextText(shown);
  const next = after === '' ? '' : `\n${after}\n`;
  return `${palette.bold(shown.address)}\n${facts.join('')}\n${palette.bold('In the workspace')}\n${runs.join('')}${next}`;
}

/** The command that continues an import; empty if nothing is left to do. */
export const nextText = (one: KnownImport): string =>
  one.state in NEXT ? continueText(one) : isPartial(one) ? missingText(one) : '';

function liveRunText({ number, first, last, live }: LiveRun): string {
  const name = number === undefined ? 'unnumbered run' : `run #${number}`;
  const rows = last === Number.MAX_SAFE_INTEGER ? '' : ` (rows ${first} to ${last})`;
  if (live === 'gone') return `${name}${rows}: no longer exists`;
  const failed = live.errorCount ?? live.totalCount - live.successCount;
  const committed = live.commit ? ', committed' : '';
  return `${name}${rows}: ${live.status}${committed}, ${live.successCount} of ${live.totalCount} rows valid, ${failed} failed`;
}

/** `#1`, or `#1-3`. */
export const runRange = (runs: readonly number[]): string => {
  const [first, last] = [runs.at(0), runs.at(-1)];
  if (first === undefined) return '?';
  return first === last ? `#${first}` : `#${first}-${last}`;
};

function rowCounts({ rows, committed, failed, missing, retriedBy = [] }: KnownImport): string {
  if (rows === undefined) return '';
  const again = retriedBy.length === 0 ? '' : `, ${missing} still missing after ${nameOfRuns(retriedBy)}`;
  return `${committed ?? 0} of ${rows} committed${failed ? `, ${failed} failed${again}` : ''}`;
}

const nameOfRuns = (runs: readonly number[]): string => runs.map((run) => `#${run}`).join(', ');

const undoneText = ({ undone, undoneBy = [] }: KnownImport): string =>
  `${nameOfRuns(undoneBy)}${undone === 'in part' ? ', in part' : ''}`;

/** `partial`: rows of it are missing in the workspace; `accepted`: somebody accepted that. */
export function stateText({ state, missing, acknowledgement, undone }: KnownImport): string {
  if (undone !== undefined) return undone === 'whole' ? 'undone' : 'undone in part';
  if (missing === undefined) return state;
  return acknowledgement === undefined ? 'partial' : 'accepted';
}

const NEXT: Readonly<Record<string, string>> = { posted: 'resume', committing: 'resume', validated: 'commit' };

function continueText({ runs, state, address, validated }: KnownImport): string {
  const command = `\`dexsync import ${NEXT[state]} ${runs[0] ?? address}\``;
  const run = runs[0] === undefined ? address : `run #${runs[0]}`;
  return state === 'posted' && validated !== undefined
    ? `The rows of ${run} are validated and not committed. Apply the saved plan that reviewed them, or commit them by their commit rule with ${command}.`
    : `${command} ${NEXT[state]}s ${run}.`;
}

/** Whether rows of it are missing in the workspace, and nobody accepted that. */
export const isPartial = ({ missing, acknowledgement, undone }: KnownImport): boolean =>
  missing !== undefined && acknowledgement === undefined && undone === undefined;

const rowsOf = (missing: number): string => (missing === 1 ? '1 row' : `${missing} rows`);

function missingRows({ missing, acknowledgement }: KnownImport): string {
  if (missing === undefined) return '';
  if (acknowledgement === undefined) return rowsOf(missing);
  const { by, at, reason } = acknowledgement;
  return `${rowsOf(missing)}, accepted by ${by} on ${at.slice(0, 10)}: ${reason}`;
}

function missingText({ runs, address, missing = 0 }: KnownImport): string {
  const run = runs[0] === undefined ? address : `run #${runs[0]}`;
  const named = runs[0] ?? `"${address}"`;
  return `${rowsOf(missing)} of ${run} ${missing === 1 ? 'is' : 'are'} missing in the workspace: \`dexsync import retry ${named}\` sends corrected rows, \`dexsync import acknowledge ${named} --reason TEXT\` accepts it.`;
}
