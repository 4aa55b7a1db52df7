import type { Summary } from '#core/stream/event.js';
import type { Palette } from './palette.js';

/** One line for the results, and one for the requests. */
export function summaryText(summary: Summary, palette: Palette): string {
  const { done, failed, unknown, skipped, blocked, manual, rows, requests } = summary;
  const parts = [
    `${done} done`,
    ...(failed > 0 ? [palette.red(`${failed} failed`)] : []),
    ...(unknown > 0 ? [palette.red(`${unknown} unknown`)] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(blocked > 0 ? [palette.red(`${blocked} blocked`)] : []),
    ...(manual > 0 ? [palette.yellow(`${manual} manual`)] : []),
  ];
  const rowText =
    rows.committed + rows.failed === 0
      ? ''
      : ` Rows: ${rows.committed} committed, ${failedRows(rows.failed, palette)}.`;
  const left = requests.remaining === null ? '' : `, ${requests.remaining} left today`;
  return `\n${palette.bold('Result:')} ${parts.join(', ')}.${rowText}\n${palette.dim(`Requests: ${requests.used} used${left}.`)}\n`;
}

const failedRows = (count: number, palette: Palette): string =>
  count === 0 ? '0 failed' : palette.red(`${count} failed`);
