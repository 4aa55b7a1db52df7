import type { DateOrder } from '#core/jobs/source-cells.js';
import { plainDate } from '../source/plain-date.js';
import type { SourceRow } from '../source/source-table.js';

interface Place {
  readonly row: number;
  readonly value: string;
}

/** What the cells of a column say about the order of its dates, if all of them are dates that are not ISO 8601. */
export interface DateFacts {
  /** The order that all cells have; absent if they contradict each other. */
  readonly order?: DateOrder;
  /** Whether a cell shows the order: a day beyond 12, a name of a month, a year of four digits first, or points. */
  readonly settled: boolean;
  /** The first cell, and the first cells that have one order only. */
  readonly first: Place;
  readonly dayFirst?: Place;
  readonly monthFirst?: Place;
}

interface Tally {
  filled: number;
  dates: number;
  iso: number;
  pointed: boolean;
  open: Place | undefined;
  first: Place | undefined;
  dayFirst: Place | undefined;
  monthFirst: Place | undefined;
}

/** Two digits at the end may be anything but a year, unless slashes or a name of a month show a date. */
const LIKE_DATE =
  /^(?:\d{4}[./]\d{1,2}[./]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}\/\d{1,2}\/\d{2}|.*\p{L}{3}.*\d)(?:[ ,T].*)?$/u;
const ISO = /^\d{4}-\d\d-\d\d/;

/** Collects the orders of the dates of each column. */
export function dateCollector(width: number): { add(row: SourceRow): void; facts(): (DateFacts | undefined)[] } {
  const tallies = Array.from(
    { length: width },
    (): Tally => ({
      ...{ filled: 0, dates: 0, iso: 0, pointed: false },
      ...{ first: undefined, open: undefined, dayFirst: undefined, monthFirst: undefined },
    }),
  );
  return {
    add({ row, cells }) {
      for (const [index, tally] of tallies.entries()) {
        const value = (cells[index] ?? '').trim();
        // One cell that is something else, and the column does not have dates.
        if (value !== '' && tally.filled === tally.dates) countDate(tally, { row, value });
      }
    },
    facts: () => tallies.map(factsOf),
  };
}

function countDate(tally: Tally, place: Place): void {
  tally.filled += 1;
  const { value } = place;
  if (ISO.test(value)) {
    tally.dates += 1;
    tally.iso += 1;
    return;
  }
  if (!LIKE_DATE.test(value)) return;
  const [day, month] = [plainDate(value, 'day-month-year'), plainDate(value, 'month-day-year')];
  if (day === undefined && month === undefined) return;
  tally.dates += 1;
  tally.first ??= place;
  if (day === undefined) tally.monthFirst ??= place;
  else if (month === undefined) tally.dayFirst ??= place;
  else if (day !== month) tally.open ??= place;
  if (/^\d{1,2}\.\d{1,2}\.\d/.test(value)) tally.pointed = true;
}

function factsOf({ filled, dates, open, pointed, first, dayFirst, monthFirst }: Tally): DateFacts | undefined {
  if (filled === 0 || dates < filled || first === undefined) return undefined;
  const places = {
    first: open ?? first,
    ...(dayFirst === undefined ? {} : { dayFirst }),
    ...(monthFirst === undefined ? {} : { monthFirst }),
  };
  if (dayFirst !== undefined && monthFirst !== undefined) return { settled: false, ...places };
  const order = monthFirst === undefined ? 'day-month-year' : 'month-day-year';
  const settled = open === undefined || pointed || dayFirst !== undefined || monthFirst !== undefined;
  return { order, settled, ...places };
}
