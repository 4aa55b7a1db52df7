import type { DateOrder } from '#core/jobs/source-cells.js';
import { plainDate } from '../source/plain-date.js';
import type { Column } from './column.js';
import type { DateFacts } from './date-facts.js';
import { type Draft, flowText, withRemark, withSource } from './draft.js';

/** Adds the orders of dates that a column itself shows, and asks about the others. */
export function withDates(draft: Draft, columns: readonly Column[]): Draft {
  return columns.reduce((one, { name, dates }) => (dates === undefined ? one : withDate(one, name, dates)), draft);
}

function withDate(draft: Draft, name: string, { order, settled, first, dayFirst, monthFirst }: DateFacts): Draft {
  const option = (given: DateOrder): string => `\`dates: { ${flowText(name)}: ${given} }\``;
  if (order !== undefined && settled) return withSource(draft, { dates: { ...draft.source.dates, [name]: order } });
  if (dayFirst !== undefined && monthFirst !== undefined) {
    const [one, other] = [dayFirst, monthFirst];
    return withRemark(
      draft,
      `Open: the dates in "${name}" contradict each other: "${one.value}" in row ${one.row} has the day first, "${other.value}" in row ${other.row} the month. Correct them, and write ${option('day-month-year')} or ${option('month-day-year')}.`,
    );
  }
  const readings = [plainDate(first.value, 'day-month-year'), plainDate(first.value, 'month-day-year')];
  return withRemark(
    draft,
    `Open: no value of "${name}" shows the order of its dates: "${first.value}" in row ${first.row} is ${readings[0]} with ${option('day-month-year')}, and ${readings[1]} with ${option('month-day-year')}.`,
  );
}
