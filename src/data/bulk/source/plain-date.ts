import type { DateOrder } from '#core/jobs/source-cells.js';

/** Day, month and year as a cell has them, and its time. */
interface Parts {
  readonly parts: readonly [string, string, string];
  /** The month is written as a word. */
  readonly named: 'month' | 'none';
  readonly time: string;
}

const DATE =
  /^([\p{L}.\d]+?)(?:\s*[./-]\s*|,?\s+)([\p{L}\d]+)\.?(?:\s*[./-]\s*|,?\s+)(\d{4}|\d{1,2})(?:[ T,]+(\d.*))?$/u;
/** An instant, which has its form already. */
const WITH_ZONE = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/;
const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*([ap]m)?$/i;

/**
 * Converts a date in this order to ISO 8601, with its time if it has one; undefined for any other cell. Dates
 * that begin with a year of four digits need no order.
 */
export function plainDate(cell: string, order: DateOrder): string | undefined {
  if (WITH_ZONE.test(cell.trim())) return cell.trim();
  const found = partsOf(cell.trim());
  if (found === undefined) return undefined;
  const [year, month, day] = sorted(found, order);
  const time = found.time === '' ? '' : timeOf(found.time);
  const iso = isoDay(fullYear(year), monthOf(month), Number(day));
  return iso === undefined || time === undefined ? undefined : iso + time;
}

function partsOf(cell: string): Parts | undefined {
  const [, first = '', second = '', third = '', time = ''] = DATE.exec(cell) ?? [];
  if (third === '') return undefined;
  const named = [first, second].some((part) => /\p{L}/u.test(part)) ? 'month' : 'none';
  return { parts: [first, second, third], named, time };
}

/** Year, month and day. A month by its name shows which is which. */
function sorted({ parts: [first, second, third], named }: Parts, order: DateOrder): readonly [string, string, string] {
  if (/^\d{4}$/.test(first)) return [first, second, third];
  if (named === 'month') return /\p{L}/u.test(first) ? [third, first, second] : [third, second, first];
  if (order === 'year-month-day') return [first, second, third];
  return order === 'day-month-year' ? [third, second, first] : [third, first, second];
}

/** Two digits are a year from 1970 to 2069. */
function fullYear(year: string): number {
  const value = /^\d+$/.test(year) ? Number(year) : Number.NaN;
  if (year.length === 4) return value;
  return year.length === 2 ? value + (value < 70 ? 2000 : 1900) : Number.NaN;
}

function isoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : undefined;
}

function timeOf(time: string): string | undefined {
  const [, hours = '', minutes = '', seconds = '00', half = ''] = TIME.exec(time.trim()) ?? [];
  const clock = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  if (hours === '' || clock > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return `T${String(clock).padStart(2, '0')}:${minutes}:${seconds}`;
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'sv'];
let months: ReadonlyMap<string, number> | undefined;

/** The number of a month by its digits, its name or its abbreviation. */
function monthOf(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  months ??= monthNames();
  return months.get(text.toLowerCase().replace(/\.$/, '')) ?? Number.NaN;
}

function monthNames(): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const language of LANGUAGES) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' });
      for (let index = 0; index < 12; index += 1) {
        const parts = format.formatToParts(Date.UTC(2026, index, 1));
        const name =
          parts
            .find(({ type }) => type === 'month')
            ?.value.toLowerCase()
            .replace(/\.$/, '') ?? '';
        if (!names.has(name)) names.set(name, index + 1);
      }
    }
  }
  return names;
}
