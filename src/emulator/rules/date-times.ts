const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const PACIFIC = 'America/Los_Angeles';

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*(Z|[+-]\d{2}:?\d{2}))?)?$/i;
const OFFSET = /^([+-])(\d{2}):?(\d{2})$/;

/** Formats a date in Zulu time without milliseconds (wire-facts 3). */
export function zulu(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Parses an ISO-8601 date or date-time, in `timeZone` if it has no zone; returns undefined if it is not valid. */
export function parseDateTime(text: string, timeZone: string): Date | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const check = new Date(wall);
  if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) {
    return undefined;
  }
  const zone = match[7] === undefined ? timeZone : match[7].toUpperCase();
  return new Date(wall - offsetAt(wall - offsetAt(wall, zone), zone));
}

/** Whether a text is a time zone: UTC, an offset such as +02:00, or a name such as Europe/Paris. */
export function isTimeZone(zone: string): boolean {
  try {
    offsetAt(0, zone);
    return true;
  } catch {
    return false;
  }
}

/** Returns the two midnights of Pacific Time around an instant: the window of the request limit (wire-facts 2). */
export function pacificDay(now: Date): { readonly start: Date; readonly end: Date } {
  const wall = now.getTime() + offsetAt(now.getTime(), PACIFIC);
  const midnight = wall - (((wall % DAY_MS) + DAY_MS) % DAY_MS);
  const instant = (at: number): Date => new Date(at - offsetAt(at - offsetAt(at, PACIFIC), PACIFIC));
  return { start: instant(midnight), end: instant(midnight + DAY_MS) };
}

/** Formats an instant for headers: `Fri, 02-May-2014 14:22:13 GMT-0700 (PDT)` (wire-facts 2, "Rate headers"). */
export function pacificDateTime(date: Date): string {
  const offset = offsetAt(date.getTime(), PACIFIC);
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(date.getTime() + offset)
    .toUTCString()
    .split(' ');
  const hours = String(Math.abs(offset / HOUR_MS)).padStart(2, '0');
  const zoneName = new Intl.DateTimeFormat('en-US', { timeZone: PACIFIC, timeZoneName: 'short' });
  const name = zoneName.formatToParts(date).find((part) => part.type === 'timeZoneName')?.value ?? 'PT';
  return `${weekday} ${day}-${month}-${year} ${time} GMT-${hours}00 (${name})`;
}

/** Milliseconds that the clocks of a zone are ahead of UTC. */
function offsetAt(instant: number, zone: string): number {
  if (zone === 'Z' || zone === 'UTC') return 0;
  const fixed = OFFSET.exec(zone);
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * HOUR_MS + Number(fixed[3]) * 60_000);
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}
