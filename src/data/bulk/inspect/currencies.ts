import type { Column } from './column.js';
import { bareHeader } from './column-names.js';

/** A currency of prices, and the column that says so. */
export interface Currency {
  readonly code: string;
  readonly column: Column;
}

/** Currencies in headers and cells. */
const CODE =
  /(?<![A-Z])(?:EUR|USD|GBP|CHF|PLN|JPY|CNY|RMB|CZK|SEK|NOK|DKK|HUF|AUD|CAD|NZD|SGD|HKD|TWD|INR|RUB|TRY|BRL|COP|MXN|CLP|ARS|KRW)(?![A-Z])|[€$£¥₽₹]|zł/;
/** Headers of other columns with money. */
const OF_MONEY = /\b(?:price|cost|amount|total|ext|extended)\b/;

/** The currency of costs: the one of their header and cells, or that of other prices of the list. */
export function currencyOf(cost: Column, columns: readonly Column[]): Currency | undefined {
  const [own] = found([cost]);
  const others = found(columns.filter((one) => one !== cost && OF_MONEY.test(bareHeader(one.header))));
  // Several countries call their currency a dollar.
  const [code] = own?.code === '$' ? others.filter((one) => /^[A-Z]+$/.test(one.code)) : [];
  return code ?? own ?? others[0];
}

const found = (columns: readonly Column[]): Currency[] =>
  columns.flatMap((column) => {
    const texts = [column.header, ...[column.numbers?.unit ?? []].flat()];
    const [code] = texts.flatMap((text) => CODE.exec(text)?.[0] ?? []);
    return code === undefined ? [] : [{ code, column }];
  });
