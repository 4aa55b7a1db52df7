import type { Quota } from '../../operations/quota.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';
import { requestsLine } from './requests-line.js';
import { tableText } from './table.js';
import { timeText } from './time-text.js';

/** The requests of a day that are left, and who used the others. */
export function quotaText(
  { limit, remaining, reset, users, log, used, ...place }: Quota,
  palette: Palette,
  width: number | undefined,
): string {
  const left =
    remaining === null ? 'The service does not report how many requests are left' : leftText(remaining, limit);
  const until = reset === null ? '' : `, reset at ${timeText(reset)}`;
  const rows = users.map(({ user, integration, requests }) => [user, integration ?? '', String(requests)]);
  const table = rows.length === 0 ? '' : `\n${tableText(['USER', 'INTEGRATION', 'REQUESTS'], rows, width)}`;
  const note = LOG_NOTES[log];
  const notes = note === undefined ? '' : palette.yellow(`${note}\n`);
  return `${palette.bold(`${left} in ${whereText(place)}${until}.`)}\n${table}${notes}${requestsLine(used, palette)}`;
}

const LOG_NOTES: { readonly [log in Quota['log']]?: string } = {
  cut: 'The log is longer than dexsync read; these counts cover its beginning only.',
  absent: 'The service keeps no log of requests, so who used them is unknown.',
};

function leftText(remaining: number, limit: number | null): string {
  if (limit !== null) return `${remaining} of ${limit} requests left`;
  return remaining === 1 ? '1 request left' : `${remaining} requests left`;
}
