import type { TransferEvent, TransferOutcome } from '#core/stream/transfer-event.js';
import type { Palette } from './palette.js';
import { runSuffix } from './run-text.js';
import { sizeText } from './size-text.js';
import { tableText } from './table.js';

/** The current activity of a transfer, for a line that is redrawn. */
export function transferProgress(address: string, event: TransferEvent): string {
  switch (event.is) {
    case 'waiting':
      return `${address}  waiting for another export to finish: ${event.seconds} s of at most ${event.most} s`;
    case 'started':
    case 'latest':
    case 'resumed':
    case 'found':
    case 'gone':
      return `${address}  ${MOMENTS[event.is]}${runSuffix(event.number)}`;
    case 'polled':
      return `${address}  ${event.status}, ${event.seconds} s${runSuffix(event.number)}`;
    case 'not ready':
      return `${address}  the archive is not ready yet: ${event.seconds} s`;
    case 'downloading':
      return `${address}  downloading ${event.archive}: ${sizeText(event.bytes)}${event.total === undefined ? '' : ` of ${sizeText(event.total)}`}`;
    case 'unpacking':
      return `${address}  unpacking ${event.archive}`;
  }
  return event satisfies never;
}

/** A permanent line for the few important moments of a transfer; a wait is mentioned once. */
export function transferLine(address: string, event: TransferEvent): string | undefined {
  switch (event.is) {
    case 'waiting':
      return event.seconds === 0
        ? `  ${address}  another export is in progress; waiting up to ${event.most} s for it to finish`
        : undefined;
    case 'not ready':
      return event.seconds === 0 ? `  ${address}  the archive is not ready yet; waiting for it` : undefined;
    case 'started':
    case 'latest':
    case 'resumed':
    case 'found':
    case 'gone':
      return `  ${address}  ${MOMENTS[event.is]}${runSuffix(event.number)}`;
    case 'polled':
    case 'downloading':
    case 'unpacking':
      return undefined;
  }
  return event satisfies never;
}

const MOMENTS = {
  started: 'started',
  latest: 'using the newest completed run',
  resumed: 'resuming the run that an earlier command started',
  found: 'resuming a run whose start was never acknowledged',
  gone: 'the run of an earlier command no longer exists; starting another',
} as const;

/** The result of a transfer: how it ended, and each file with its size. */
export function transferredText(
  address: string,
  { folder, number, status, files }: TransferOutcome,
  palette: Palette,
  width: number | undefined,
): string {
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const head = `${palette.bold(`${address}: ${count} in ${folder}`)}  ${palette.dim(`${status}${runSuffix(number)}`)}\n`;
  if (files.length === 0) return head;
  const isCounted = files.some(({ rows }) => rows !== undefined);
  const rows = files.map(({ path, size, rows: all }) => [
    path,
    sizeText(size),
    ...(isCounted ? [all === undefined ? '' : String(all)] : []),
  ]);
  return `${head}${tableText(['FILE', 'SIZE', ...(isCounted ? ['ROWS'] : [])], rows, width)}`;
}
