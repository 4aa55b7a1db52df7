import { InvalidArgumentError } from 'commander';
import { durationIn } from '../library/internal.js';

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/;

/** Creates a parser of a point in time: an ISO 8601 date or time, by default in UTC, or how long ago. */
export const pointInTime =
  (now: () => Date) =>
  (text: string): Date => {
    const duration = durationIn(text);
    const found = duration === undefined ? dateIn(text) : new Date(now().getTime() - duration);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(
      'Give a date such as 2026-11-21 or 2026-11-21T08:00 (UTC, or with a zone such as +02:00), or a duration such as 7d, 12h or 30m.',
    );
  };

function dateIn(text: string): Date | undefined {
  const [, day = text, time = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  if (!DATE.test(day)) return undefined;
  const date = new Date(`${day}T${time}${zone}`);
  // The 31st of a shorter month would become a day of the next month.
  return Number.isNaN(date.getTime()) || !isDay(day) ? undefined : date;
}

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
