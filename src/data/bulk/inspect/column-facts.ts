import { omitUndefined } from '#base/omit-undefined.js';
import type { NumberFormat } from '#core/jobs/source-cells.js';
import { BRACKETED } from '../source/added-columns.js';
import { arePlainDesignators, splitDesignators } from '../source/designators.js';
import type { SourceRow } from '../source/source-table.js';
import { roleNamed, SHOP_AND_NUMBER } from './column-names.js';
import { countLevels, type LevelFacts, type LevelTally, levelFacts, newLevelTally } from './count-levels.js';
import { countNumber, filledValues, findDecimalMark, findNumberFormat, type NumberTally } from './count-numbers.js';
import { countTotals, isBeforeTotal, type TotalCell, type TotalTally, totalsIn } from './count-totals.js';
import { isNoNumber, isPlaceholder, withoutCounted } from './placeholder-texts.js';
import { isUnfittedText } from './unfitted-texts.js';

/** Facts about the cells of a column, beyond those that people are shown. */
export interface ColumnFacts extends LevelFacts {
  /** The cells count up: 1, 2, 3, or 1, 3, 4 where a row is left out. */
  readonly isSequence: boolean;
  readonly areDesignators: boolean;
  /** One of them in a form that the service does not read, such as R4~R10. */
  readonly otherDesignators?: string;
  /** They have several usual prefixes, so that they are recognised without a header. */
  readonly areDesignatorsByLook: boolean;
  readonly areAddresses: boolean;
  /** Numbers in square brackets before names, as in "[FURN_7800] Table". */
  readonly areBracketed: boolean;
  /** Many of them are names of well-known manufacturers. */
  readonly areMakers: boolean;
  /** Number of cells with line breaks, and the first few of them. */
  readonly multiline: number;
  readonly lines: readonly string[];
  /** Format of the cells that are numbers, if all others have no digits; `{}` for digits with a point. */
  readonly numbers?: NumberFormat;
  /** The only decimal mark with which all cells are numbers. */
  readonly decimal?: 'point' | 'comma';
  /** A number that depends on the decimal mark, such as 1.200, if no cell shows which mark is meant. */
  readonly eitherNumber?: string;
  /** Some cells have a decimal point, others a comma, and no cell depends on which it is. */
  readonly marks?: 'both';
  /** Cells that are not numbers with the decimal mark that fits most cells. */
  readonly notNumbers: number;
  /** The first few cells that mark a total or subtotal, with their rows. */
  readonly totals: readonly TotalCell[];
  /** Different cells that say that a part is not fitted, such as "10k DNP", and how often each occurs. */
  readonly unfitted: ReadonlyMap<string, number>;
  /** Different cells that stand for no value, such as "-" or "TBD", and how often each occurs. */
  readonly placeholders: ReadonlyMap<string, number>;
  /** Cells that repeat the header of the column, as at the beginning of each block of a list. */
  readonly headed: number;
  /** The text that divides nearly all cells in two, such as ": ". */
  readonly divider?: string;
  /** Cells that are the only ones of their rows, such as titles of sections, and how often each occurs. */
  readonly alone: ReadonlyMap<string, number>;
  /** All different cells and how often each occurs, if they are few. */
  readonly values?: ReadonlyMap<string, number>;
}

interface Tally extends NumberTally, TotalTally, LevelTally {
  /** Whether a cell stands for no value. */
  readonly isNone: (cell: string) => boolean;
  sequence: number | 'broken';
  designators: number;
  otherDesignators?: string | undefined;
  addresses: number;
  bracketed: number;
  makers: number;
  multiline: number;
  readonly designatorKinds: Set<string>;
  readonly lines: Set<string>;
  readonly placeholders: Map<string, number>;
  readonly unfitted: Map<string, number>;
  readonly dividers: Map<string, number>;
  headed: number;
  readonly alone: Map<string, number>;
  readonly values: Map<string, number>;
}

/** In a sequence. */
const MOST_STEP = 2;
const MOST_ALONE = 1000;
const MOST_VALUES = 100;
const MOST_UNFITTED = 50;
/** One more is collected, to show that the list is not complete. */
export const MOST_LINES = 20;

const DESIGNATOR_START = /^[\s,;]*[A-Za-z]{1,4}[\d_]/;
/** "C_PUMP" is one, too. */
const DESIGNATOR =
  /^(?:[A-Za-z]{1,4}_?\d{1,5}[A-Za-z]?(?:[-–][A-Za-z]{0,4}\d{1,5})?|(?:[RCLDQUJ]|LED|SW|TP|FB)_[A-Z][A-Z0-9_]*)$/;
/** In cells that the service may divide otherwise than people mean. */
const DIVIDED = /[\s/–—−~～〜…、；，]|\.\.|[,;]$/;
/** Usual prefixes of designators, by IEEE 315 and by habit. */
const DESIGNATOR_KIND =
  /^(?:A|AE|ANT|B|BT|C|CN|CON|CR|D|DS|F|FB|FL|FID|H|IC|J|JP|K|L|LD|LED|LS|M|MH|MK|MP|P|PS|Q|R|RN|RT|RV|S|SW|T|TC|TP|U|V|VR|W|X|XF|XTAL|Y|Z|ZD)$/i;
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$/i;
/** Texts between two values of a cell, the most certain first. */
const DIVIDERS = [': ', ' / ', ' = ', ' | ', ' - ', ':', '=', '|', '/'];
export const BEHIND_SHOP = ' ';
const MAKER =
  /^(?:adi|alps|amphenol|analog devices|avx|bourns|broadcom|c&k|coilcraft|cree|cypress|diodes|diodes inc|epcos|fairchild|harting|harwin|infineon|intel|jst|kemet|keystone|kingbright|lattice|linear technology|littelfuse|lumex|maxim|microchip|micron|molex|murata|national semiconductor|nexperia|nichicon|nxp|omron|on semi|on semiconductor|onsemi|osram|panasonic|phoenix contact|qualcomm|renesas|rohm|samsung|sharp|silicon labs|skyworks|sparkfun|st|stmicroelectronics|taiyo yuden|tdk|te connectivity|texas instruments|thorlabs|ti|toshiba|vishay|winbond|wurth|würth elektronik|wurth elektronik|xilinx|yageo)$/;

/**
 * Collects facts row by row, in memory that does not grow with the rows. `places`: columns that say where a row is, and
 * that are no cells of it.
 */
export function factCollector(
  headers: readonly string[],
  places: readonly string[] = [],
): { add(row: SourceRow): void; facts(): ColumnFacts[] } {
  const tallies = headers.map(newTally);
  let widest = 0;
  return {
    add({ row, cells }) {
      const filled = tallies.flatMap((tally, index) => {
        const cell = (cells[index] ?? '').trim();
        if (cell === '') return [];
        countCell(tally, cell, row);
        if (cell === (headers[index] ?? '').trim()) tally.headed += 1;
        return places.includes(headers[index] ?? '') ? [] : [{ tally, cell }];
      });
      widest = countTotals(filled, row, widest);
      const [first] = filled;
      if (filled.length === 1 && first !== undefined) countAlone(first.tally, first.cell);
    },
    facts: () => tallies.map(factsOf),
  };
}

const newTally = (header: string): Tally => ({
  isNone: roleNamed(header) === 'mpn' ? isNoNumber : isPlaceholder,
  ...newLevelTally(),
  ...{
    filled: 0,
    sequence: 0,
    designators: 0,
    addresses: 0,
    bracketed: 0,
    makers: 0,
    multiline: 0,
    point: 0,
    comma: 0,
    both: 0,
    odd: 0,
    headed: 0,
  },
  ...{
    grouped: 0,
    unread: 0,
    either: undefined,
    designatorKinds: new Set(),
  },
  ...{
    lines: new Set(),
    units: new Set(),
    totals: [],
    beforeTotals: [],
  },
  ...{ unfitted: new Map(), placeholders: new Map(), dividers: new Map(), alone: new Map(), values: new Map() },
});

function countAlone({ alone }: Tally, cell: string): void {
  if (alone.size < MOST_ALONE) countIn(alone, cell);
}

const countIn = <K>(counts: Map<K, number>, at: K): unknown => counts.set(at, (counts.get(at) ?? 0) + 1);

function countCell(tally: Tally, cell: string, row: number): void {
  tally.filled += 1;
  const count = Number(cell);
  const isNext =
    tally.sequence !== 'broken' &&
    /^\d{1,9}$/.test(cell) &&
    ((count > tally.sequence && count <= tally.sequence + MOST_STEP) || (tally.filled === 1 && count === 0));
  tally.sequence = isNext ? count : 'broken';
  countDesignators(tally, cell);
  if (ADDRESS.test(cell)) tally.addresses += 1;
  if (BRACKETED.test(cell)) tally.bracketed += 1;
  if (MAKER.test(cell.toLowerCase())) tally.makers += 1;
  if (/[\r\n]/.test(cell)) countLines(tally, cell);
  countValue(tally, cell);
  countLevels(tally, cell, row);
  if (tally.unfitted.size < MOST_UNFITTED && isUnfittedText(cell)) countIn(tally.unfitted, cell);
  if (tally.values.size <= MOST_VALUES) countIn(tally.values, cell);
}

function countValue(tally: Tally, cell: string): void {
  if (tally.isNone(cell)) {
    countIn(tally.placeholders, cell);
    return;
  }
  if (isBeforeTotal(cell)) tally.unread += 1;
  else countNumber(tally, cell);
  for (const divider of DIVIDERS) if (cell.indexOf(divider) > 0) countIn(tally.dividers, divider);
  if (SHOP_AND_NUMBER.test(cell)) countIn(tally.dividers, BEHIND_SHOP);
}

/** Whether a text has designators alone, and ranges of them. */
export const isDesignatorList = (text: string): boolean =>
  splitDesignators(text).every((part) => DESIGNATOR.test(part));

function countDesignators(tally: Tally, cell: string): void {
  const isDivided = tally.otherDesignators === undefined && DIVIDED.test(cell);
  if (isDivided && (/[,;]$/.test(cell) || !arePlainDesignators(cell))) tally.otherDesignators = cell;
  if (!DESIGNATOR_START.test(cell)) return;
  const parts = splitDesignators(cell);
  if (!parts.every((part) => DESIGNATOR.test(part))) return;
  tally.designators += 1;
  for (const part of parts) {
    const kind = /^[A-Za-z]+/.exec(part)?.[0] ?? '';
    if (DESIGNATOR_KIND.test(kind)) tally.designatorKinds.add(kind.toUpperCase());
  }
}

function countLines(tally: Tally, cell: string): void {
  tally.multiline += 1;
  if (tally.lines.size <= MOST_LINES) tally.lines.add(cell);
}

function factsOf(tally: Tally): ColumnFacts {
  const values = filledValues(tally);
  const divider = [...DIVIDERS, BEHIND_SHOP].find((one) => (tally.dividers.get(one) ?? 0) >= values * 0.9);
  const { filled, sequence, designators, addresses, makers, multiline } = tally;
  const most = (count: number, share: number): boolean => filled > 0 && count >= filled * share;
  const numbers = findNumberFormat(tally);
  return {
    isSequence: sequence !== 'broken' && filled > 2,
    areDesignators: values > 0 && designators >= values * 0.7,
    areDesignatorsByLook: most(designators, 0.7) && tally.designatorKinds.size > 1,
    areAddresses: most(addresses, 0.7),
    areBracketed: most(tally.bracketed, 0.5),
    areMakers: filled > 2 && most(makers, 0.3),
    ...levelFacts(tally),
    ...findDecimalMark(tally),
    multiline,
    lines: [...tally.lines],
    ...omitUndefined({ numbers, otherDesignators: tally.otherDesignators }),
    notNumbers: values - Math.max(tally.point, tally.comma),
    totals: totalsIn(tally, numbers),
    unfitted: tally.unfitted,
    placeholders: withoutCounted(tally.placeholders, tally.values),
    headed: tally.headed,
    ...(values === 0 ? {} : omitUndefined({ divider })),
    alone: tally.alone,
    ...(tally.values.size > MOST_VALUES ? {} : { values: tally.values }),
  };
}
