import type { NumberFormat } from '#core/jobs/source-cells.js';

/** A cell that marks a total, with its row. */
export interface TotalCell {
  readonly row: number;
  readonly value: string;
}

/** What is counted of the totals of a column. */
export interface TotalTally {
  readonly totals: TotalCell[];
  readonly beforeTotals: TotalCell[];
}

const MOST = 50;
const TOTAL =
  /^(?:grand |sub-?|sub |overall |net |gross |merchandise |goods |order |invoice )?(?:totals?|sum|summe|gesamt(?:summe|preis|kosten|menge)?|zwischensumme|somme|sous-total|totaux|suma|razem|разом|всього|усього|загалом|сумм?а|итого|всего|[σ∑]|łącznie|ogółem|totaal|subtotaal|totale|subtotale|somma|(?:参考|総)?(?:合计|小计|总计|共计|合計|小計|総計)(?:参考|金額|价格|価格|数量)?)\s*[:：]?(?:\s.{0,20}|\s\(.*\))?$/i;
/** What stands above a total in a column of numbers; elsewhere such words are values. */
const BEFORE_TOTAL =
  /^(?:net|netto|brutto|gross|vat|mwst|ust|umsatzsteuer|tva|iva|btw|gst|(?:sales )?tax|steuer|shipping|freight|versand(?:kosten)?|porto|fracht|discount|rabatt|handling)\b[\s.:]*(?:(?:total|amount|summe|betrag|charge)s?)?[\s.:]*(?:\d+(?:[.,]\d+)?\s*%)?:?$/i;

export const isBeforeTotal = (cell: string): boolean => BEFORE_TOTAL.test(cell);

/** In a narrower table a row of a total may have all cells; in others it has fewer than the fullest row. */
const LEAST_WIDTH = 3;

/** Counts the cells of a row that may be one of totals; returns the number of cells in the fullest row. */
export function countTotals(
  filled: readonly { readonly tally: TotalTally; readonly cell: string }[],
  row: number,
  widest: number,
): number {
  // Dashes say that a total has nothing there.
  const width = filled.filter(({ cell }) => /[\p{L}\p{N}]/u.test(cell)).length;
  const [first, ...others] = filled.map(({ cell }) => cell);
  const areNumbers = TOTAL.test(first ?? '') && !others.some((cell) => /\p{L}/u.test(cell));
  if (width < Math.max(widest, LEAST_WIDTH) || areNumbers)
    for (const { tally, cell } of filled) countTotal(tally, cell, row);
  return Math.max(widest, width);
}

function countTotal({ totals, beforeTotals }: TotalTally, value: string, row: number): void {
  if (totals.length < MOST && TOTAL.test(value)) totals.push({ row, value });
  if (beforeTotals.length < MOST && isBeforeTotal(value)) beforeTotals.push({ row, value });
}

/** The first few cells that mark a total or, in a column of numbers, what stands above one. */
export const totalsIn = ({ totals, beforeTotals }: TotalTally, numbers: NumberFormat | undefined): TotalCell[] =>
  numbers === undefined ? totals : [...totals, ...beforeTotals].sort((one, other) => one.row - other.row);
