import { html, type Markup, type Part } from '#base/pages/markup.js';
import { excerpt } from '#base/printable.js';
import type { ErrorGroup } from '#core/stream/row-error.js';
import type { KeptRunReport, ShownFailedRow, ShownRowError } from '#data/bulk/report/read-run-report.js';
import { tag } from './frame.js';

/** Columns of one page: those with failed cells, and their neighbours. */
const MOST = 14;

/** In characters: of a cell that failed, and of its neighbours. */
const [OF_FAILED, OF_OTHER] = [400, 120];

/**
 * Failed rows as they are in their file, with the failed cells marked, and what is wrong with each. `chosen`: the cause
 * of all of them, which is explained above.
 */
export function failedRowsTable({ headers, rows, report }: KeptRunReport, chosen: number | undefined): Markup {
  if (rows.length === 0) return html`<p class="empty">No row is here.</p>`;
  const columns = columnsOf(rows, headers.length);
  const heads = columns.map((column, index) => {
    const hidden = column - (columns[index - 1] ?? -1) - 1;
    return html`${gapOf('th', hidden)}<th scope="col">${headers[column]}</th>`;
  });
  const after = headers.length - 1 - (columns.at(-1) ?? headers.length - 1);
  return html`<div class="wide" tabindex="0" role="region" aria-label="Failed rows"><table class="dense sheet">
<thead><tr><th scope="col">Row</th><th scope="col">What is wrong</th>${heads}${gapOf('th', after)}</tr></thead>
<tbody>${rows.map((row) => rowOf(row, { headers, columns, causes: report.causes, chosen, after }))}</tbody></table></div>`;
}

interface Sheet {
  readonly headers: readonly string[];
  readonly columns: readonly number[];
  readonly causes: readonly ErrorGroup[];
  readonly chosen: number | undefined;
  /** Columns after the last one that is shown. */
  readonly after: number;
}

/** In place of columns that are not shown. */
const gapOf = (element: 'td' | 'th', hidden: number): Part => {
  if (hidden === 0) return undefined;
  return element === 'td'
    ? html`<td class="gap none"></td>`
    : html`<th scope="col" class="gap" title="${hidden} more">…</th>`;
};

/** The first column, which names the row, those with failed cells, and their neighbours, as long as there is room. */
function columnsOf(rows: readonly ShownFailedRow[], width: number): readonly number[] {
  if (width <= MOST) return Array.from({ length: width }, (_, index) => index);
  const failed = rows.flatMap(({ errors }) => errors.flatMap(({ cell }) => (cell === undefined ? [] : [cell])));
  const around = [1, 2, 3].flatMap((step) => failed.flatMap((cell) => [cell - step, cell + step]));
  const wanted = new Set([0, ...failed, ...around].filter((column) => column >= 0 && column < width));
  return [...wanted].slice(0, MOST).sort((one, other) => one - other);
}

function rowOf(row: ShownFailedRow, sheet: Sheet): Markup {
  const { columns, headers } = sheet;
  const failed = new Set(row.errors.map(({ cell }) => cell));
  const cells = columns.map((column, index) => {
    const gap = gapOf('td', column - (columns[index - 1] ?? -1) - 1);
    return html`${gap}${cellOf(row.cells[column] ?? '', headers[column] ?? '', failed.has(column))}`;
  });
  return html`<tr><th scope="row">${row.row === '' ? 'not found' : row.row}</th><td class="wrong">${wrongOf(row, sheet)}</td>${cells}${gapOf('td', sheet.after)}</tr>\n`;
}

function cellOf(text: string, header: string, isFailed: boolean): Markup {
  if (!isFailed)
    return html`<td class="${text === '' ? 'none' : 'value'}" data-label="${header}">${excerpt(text, OF_OTHER)}</td>`;
  const shown = text === '' ? html`<span class="dim">empty</span>` : excerpt(text, OF_FAILED);
  return html`<td class="value failed" data-label="${header}"><span class="unseen">failed: </span>${shown}</td>`;
}

/** Rows beyond the first errors of a report have only a reason. */
const wrongOf = (row: ShownFailedRow, sheet: Sheet): Part =>
  row.errors.length === 0 ? row.reason : row.errors.map((error) => errorOf(error, row, sheet));

function errorOf(
  { message, code, cell, cause, certainty, doubt }: ShownRowError,
  { cells }: ShownFailedRow,
  { headers, columns, causes, chosen }: Sheet,
): Markup {
  const { explanation, advice } = (cause === undefined || cause === chosen ? undefined : causes[cause]) ?? {};
  const unseen = cell !== undefined && !columns.includes(cell) && html` <q>${excerpt(cells[cell] ?? '')}</q>`;
  const said = html`${message}${code !== undefined && html` <code>${code}</code>`}`;
  return html`<p>${cell !== undefined && html`<b>${headers[cell]}</b>${unseen}: `}${explanation === undefined ? said : html`${explanation} <span class="dim">${said}</span>`}${advice !== undefined && html` <span class="advice">${advice}</span>`}${certainty === 'doubtful' && html` ${tag('uncertain row', 'doubt')} <span class="dim">${doubt}</span>`}</p>`;
}
