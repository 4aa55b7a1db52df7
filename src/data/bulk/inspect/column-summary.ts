import type { SourceRow } from '../source/source-table.js';
import { DistinctCounter } from './distinct.js';
import type { Meaning } from './meanings.js';

/** Summary of the cells of a column. */
export interface ColumnSummary {
  readonly header: string;
  /** Name in a mapping: equal headers get a number, such as #2. */
  readonly name: string;
  readonly filled: number;
  /** Different values; an estimate beyond 2,000. */
  readonly distinct: number;
  readonly samples: readonly string[];
  readonly longest: number;
  /** Type of all filled cells; `text` if they differ, or if a number begins with a zero. */
  readonly type: 'empty' | 'text' | 'integer' | 'number' | 'date' | 'boolean';
  /** Filled in every row with different values, as far as known; never for fractions and dates. */
  readonly key: 'likely' | 'no';
  /** What the proposal reads in it. */
  readonly meaning?: Meaning;
}

const SAMPLES = 3;
const LONGEST_SAMPLE = 60;

type ValueType = Exclude<ColumnSummary['type'], 'empty'>;

interface Tally {
  filled: number;
  longest: number;
  type: ValueType | undefined;
  readonly samples: string[];
  readonly distinct: DistinctCounter;
}

/** Summarises columns row by row, keeping only a few values of each. */
export function columnSummarizer(headers: readonly string[]): {
  add(row: SourceRow): void;
  columns(): ColumnSummary[];
} {
  const tallies = headers.map(
    (): Tally => ({ filled: 0, longest: 0, type: undefined, samples: [], distinct: new DistinctCounter() }),
  );
  let rows = 0;
  return {
    add({ cells }) {
      rows += 1;
      for (const [index, tally] of tallies.entries()) countCell(tally, (cells[index] ?? '').trim());
    },
    columns() {
      const names = numberedNames(headers);
      return headers.map((header, index) => summaryOf(header, names[index] ?? '', tallies[index], rows));
    },
  };
}

function countCell(tally: Tally, cell: string): void {
  if (cell === '') return;
  tally.filled += 1;
  tally.distinct.add(cell);
  if (cell.length > tally.longest) tally.longest = cell.length;
  if (tally.type !== 'text') tally.type = commonType(tally.type, typeOf(cell));
  if (tally.samples.length < SAMPLES) {
    const sample = cell.length > LONGEST_SAMPLE ? `${cell.slice(0, LONGEST_SAMPLE)}...` : cell;
    if (!tally.samples.includes(sample)) tally.samples.push(sample);
  }
}

function typeOf(cell: string): ValueType {
  if (/^-?(0|[1-9]\d{0,14})$/.test(cell)) return 'integer';
  if (/^-?(0|[1-9]\d{0,14})[.,]\d+$/.test(cell)) return 'number';
  if (/^\d{4}-\d\d-\d\d(T[\d:]+)?$/.test(cell)) return 'date';
  return /^(true|false|yes|no)$/i.test(cell) ? 'boolean' : 'text';
}

function commonType(one: ValueType | undefined, other: ValueType): ValueType {
  if (one === undefined || one === other) return other;
  const numbers = ['integer', 'number'];
  return numbers.includes(one) && numbers.includes(other) ? 'number' : 'text';
}

/** Names of headers in a mapping: equal ones get a number. */
function numberedNames(headers: readonly string[]): string[] {
  const bare = headers.map((header) => header.trim().toLowerCase());
  const counts = new Map<string, number>();
  const nth = bare.map((name) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name);
  });
  return headers.map((header, index) => {
    const name = bare[index] ?? '';
    return name !== '' && (counts.get(name) ?? 0) > 1 ? `${header.trim()}#${nth[index]}` : header.trim();
  });
}

function summaryOf(header: string, name: string, tally: Tally | undefined, rows: number): ColumnSummary {
  const { filled = 0, longest = 0, type = 'empty', samples = [], distinct = new DistinctCounter() } = tally ?? {};
  const different = distinct.count();
  const unique = distinct.repetition === 'all different' && different >= filled * 0.95;
  const key = rows > 1 && filled === rows && unique && (type === 'text' || type === 'integer') ? 'likely' : 'no';
  return { header, name, filled, distinct: Math.min(different, filled), samples, longest, type, key };
}
