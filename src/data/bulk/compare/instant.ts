const DATE_TIME = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const OFFSET = /^([+-])(\d{2}):?(\d{2})$/;
const MINUTE = 60_000;

/**
 * Converts a date or date-time to its instant, ISO 8601 in UTC to the second; a text without a zone is a time of
 * `timeZone` (wire-facts 4, "timeZone"; 2.1: yyyy-MM-dd or yyyyMMdd). Undefined if the text is neither.
 */
export function parseInstant(text: string, timeZone: string): string | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map((part) => Number(part ?? 0));
  const wall = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
  const date = new Date(wall);
  const exists = date.getUTCMonth() + 1 === month && date.getUTCDate() === day && date.getUTCHours() === hour;
  if (!exists) return undefined;
  const zone = match[7] ?? timeZone;
  // The first offset gives an approximate instant; the offset at that instant holds at the wall time.
  const offset = offsetAt(wall - offsetAt(wall, zone), zone);
  return `${new Date(wall - offset).toISOString().slice(0, 19)}Z`;
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  if (/^(z|utc)$/i.test(zone)) return 0;
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? [];
  if (hours !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
  const shown = formatOf(zone)?.format(instant);
  return shown === undefined ? 0 : Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();

/** Swedish dates are written as in ISO 8601. An unknown zone counts as UTC: the service refuses it. */
function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) formats.set(zone, newFormat(zone));
  return formats.get(zone);
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    });
  } catch {
    return undefined;
  }
}
