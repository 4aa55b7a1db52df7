import type { NumberFormat } from '#core/jobs/source-cells.js';
import { plainNumber } from '../source/plain-number.js';

/** What is counted of the numbers of a column. */
export interface NumberTally {
  filled: number;
  /** Cells that are numbers with a decimal point, with a comma, and with marks that group thousands. */
  point: number;
  comma: number;
  /** Cells that are numbers with either mark, as those without decimals are. */
  both: number;
  grouped: number;
  either: string | undefined;
  /** Cells that say nothing about the format of the others. */
  unread: number;
  /** Cells with digits that are in no form of numbers, such as "1 box of 200". */
  odd: number;
  readonly units: Set<string>;
  readonly placeholders: ReadonlyMap<string, number>;
}

const MOST_UNITS = 12;
/** The greatest share of texts among the costs of a list. */
export const MOST_TEXTS = 0.2;
const ABOUT =
  /^\(?\s*(?:[~≈∼～]|(?:ca|approx)\.?|circa|about|around|etwa|env(?:iron)?\.?)\s*(?<exact>\.?\d[^()]*?)\s*\)?$/i;

/** What is behind a sign or word that says that a number is about right, such as "~"; undefined if there is none. */
export const exactText = (cell: string): string | undefined => ABOUT.exec(cell)?.groups?.exact;
/** No group of thousands begins with a zero: 0,500 is a half. */
const GROUPED_ZERO = { point: /^\D*0,\d/, comma: /^\D*0\.\d/ } as const;

/** Texts without digits, such as "as required", least numbers, and negative ones by a sign behind them, or by brackets. */
const isUnread = (cell: string, unit: string): boolean =>
  !/\d/.test(cell) ||
  /[-+−]$|^[-+−]?\(|^(?:(?:or|ou|oder|o|lub|of) (?:more|less|mais|menos|plus|moins|mehr|weniger|m[aá]s|meer)|et plus)$/i.test(
    unit,
  );

/** Counts a cell as a number with a point, with a comma, or both. */
export const countNumber = (tally: NumberTally, cell: string): void => countExact(tally, exactText(cell) ?? cell);

function countExact(tally: NumberTally, cell: string): void {
  const [, before = '', after = ''] =
    /^(?:[-+−]\s?)?([^\d+\-−.,%]{0,12}?)\s?[.,]?\d[\d.,'’ \u00a0\u202f]*%?\s?([^\d%]{0,12})$/.exec(cell) ?? [];
  const unit = (before.trim() || after.trim()).trim();
  if (before === '' && after === '' && /\d.*[^\d.,'’\s%+\-−]/.test(cell)) tally.odd += 1;
  if (isUnread(cell, unit)) {
    tally.unread += 1;
    return;
  }
  if (unit !== '' && tally.units.size < MOST_UNITS) tally.units.add(unit);
  const rule = unit === '' ? {} : { unit };
  const [point, comma] = (['point', 'comma'] as const).map((decimal) =>
    GROUPED_ZERO[decimal].test(cell) ? undefined : plainNumber(cell, { ...rule, decimal }),
  );
  if (point !== undefined) tally.point += 1;
  if (comma !== undefined) tally.comma += 1;
  if (unit === '' && point !== undefined && point !== cell.replace(/^\+/, '')) tally.grouped += 1;
  if (point === undefined || comma === undefined) return;
  tally.both += 1;
  if (point !== comma) tally.either ??= cell;
}

/** Cells that are no placeholders. */
export const filledValues = ({ filled, placeholders }: NumberTally): number =>
  filled - [...placeholders.values()].reduce((sum, count) => sum + count, 0);

/** Cells that are numbers, or would be in a column of numbers: if few are odd, these are asked about alone. */
function readValues(tally: NumberTally): number {
  const all = filledValues(tally) - tally.unread;
  return tally.odd > 0 && tally.odd <= all * 0.1 ? all - tally.odd : all;
}

/** The only decimal mark with which all cells are numbers, or a number that depends on the mark, or that each cell has its own. */
export function findDecimalMark(tally: NumberTally): {
  readonly decimal?: 'point' | 'comma';
  readonly eitherNumber?: string;
  readonly marks?: 'both';
} {
  const { point, comma, both, either, units } = tally;
  const filled = readValues(tally);
  const areMixed = either === undefined && units.size === 0 && point + comma - both === filled;
  if (filled === 0) return {};
  if (Math.max(point, comma) < filled) return areMixed ? { marks: 'both' } : {};
  if (point !== comma) return { decimal: point === filled ? 'point' : 'comma' };
  return either === undefined ? {} : { eitherNumber: either };
}

/** The format of the cells, if all are numbers, those aside that say nothing about it. */
export function findNumberFormat(tally: NumberTally): NumberFormat | undefined {
  const { point, comma, grouped, units } = tally;
  const filled = readValues(tally);
  if (filled === 0 || Math.max(point, comma) < filled || units.size >= MOST_UNITS) return undefined;
  const [first, ...others] = units;
  return {
    ...(point < filled ? { decimal: 'comma' as const } : grouped > 0 ? { decimal: 'point' as const } : {}),
    ...(first === undefined ? {} : { unit: others.length === 0 ? first : [first, ...others] }),
  };
}
