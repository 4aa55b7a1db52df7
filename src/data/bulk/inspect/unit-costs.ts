import type { ImportSource } from '#core/jobs/source.js';
import { plainNumber } from '../source/plain-number.js';
import { type Column, MONEY } from './column.js';
import { bareHeader } from './column-names.js';
import { assignRoles } from './column-roles.js';
import type { GivenMeanings } from './meanings.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';

/** Words of prices in headers, in any place. */
const OF_MONEY =
  /pri[cs]|prezz|preis|prei[sx]|prix|preci|pre[cț]|preco|prijs|cost|kosten|koszt|cout|custo|cena|цена|ціна|ár\b|fiyat|hinta|amount|価|價|价|金額|金额|小計|小计|단가|금액/;
/** Numbers of pieces that are multiplied, too, but are no money. */
const OTHERS = /weight|mass|gewicht|poids|peso|masa|length|lange|volume|area|time|power|current|strom|leistung|g$|kg$/;
/** Least rows with another quantity than 1, in which the product shows. */
const LEAST = 3;
const SHARE = 0.9;

/** The columns with the cost of a piece and with its product with the quantity. */
interface UnitCost {
  readonly unit: Column;
  readonly line: Column;
}

interface Tally extends UnitCost {
  rows: number;
  fits: number;
  several: number;
}

interface ReadColumns {
  readonly path: string;
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly rows: number;
}

/** Finds the cost of a piece by arithmetic, if the headers would take its product with the quantity, or nothing. */
export async function unitCosts(
  { path, source, columns, rows }: ReadColumns,
  given: GivenMeanings,
): Promise<{ readonly meanings: GivenMeanings; readonly remark: string } | undefined> {
  const roles = assignRoles(columns, rows, given);
  const [quantity, cost] = [roles.get('quantity'), roles.get('cost')];
  if (quantity === undefined || rows > MOST_ALIKE || Object.values(given).includes('cost')) return undefined;
  const others = new Set([...roles].filter(([role]) => role !== 'cost').map(([, column]) => column));
  const numbers = columns.filter((column) => isAmount(column) && !others.has(column));
  const tallies = pairsOf(numbers, cost);
  if (tallies.length === 0) return undefined;
  const names = [quantity, ...numbers].map(({ name }) => name);
  await eachRowCells(path, source, names, (cells) => {
    const [pieces = Number.NaN, ...amounts] = cells.map((cell, at) => numberOf([quantity, ...numbers][at], cell));
    for (const tally of tallies)
      count(tally, pieces, amounts[numbers.indexOf(tally.unit)], amounts[numbers.indexOf(tally.line)]);
  });
  const found = tallies.find(({ rows: all, fits, several }) => several >= LEAST && fits >= all * SHARE);
  if (found === undefined) return undefined;
  const { unit, line } = found;
  return {
    meanings: { ...given, [unit.name]: 'cost' },
    remark: `"${unit.name}" is the cost of a piece: "${line.name}" is its product with "${quantity.name}".`,
  };
}

const isAmount = ({ name, filled, notNumbers, isSequence }: Column): boolean =>
  name !== '' && filled > 0 && notNumbers <= filled * (1 - SHARE) && !isSequence;

/** Pairs that a header says are money; where a header names a cost, only those of which it is the product. */
function pairsOf(numbers: readonly Column[], cost: Column | undefined): Tally[] {
  return numbers
    .flatMap((unit) => numbers.map((line) => ({ unit, line })))
    .filter(({ unit, line }) => unit !== line && (cost === undefined || line === cost))
    .filter((pair) => areMoney(pair))
    .map((pair) => ({ ...pair, rows: 0, fits: 0, several: 0 }));
}

function areMoney({ unit, line }: UnitCost): boolean {
  const headers = [unit, line].map(({ header }) => bareHeader(header));
  const isMoney = [unit, line].some(
    ({ header, numbers }) =>
      OF_MONEY.test(bareHeader(header)) || MONEY.test([header, numbers?.unit ?? []].flat().join()),
  );
  return isMoney && !headers.some((header) => OTHERS.test(header)) && unit.distinct > 1;
}

function count(tally: Tally, pieces: number, unit = Number.NaN, line = Number.NaN): void {
  if (!(pieces > 0 && unit > 0 && line > 0)) return;
  const fits = Math.abs(unit * pieces - line) <= 0.005 * pieces + 0.006;
  tally.rows += 1;
  if (fits) tally.fits += 1;
  if (fits && pieces !== 1) tally.several += 1;
}

const numberOf = (column: Column | undefined, cell: string): number =>
  Number(plainNumber(cell, { decimal: column?.decimal ?? 'point', ...column?.numbers }) ?? Number.NaN);
