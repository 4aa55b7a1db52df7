import { type Column, matchingShare } from './column.js';
import { bareHeader } from './column-names.js';

/** How to recognise a shop: by the headers of its numbers, their form, and the addresses of its pages. */
interface Shop {
  readonly name: string;
  readonly header: RegExp;
  readonly number?: RegExp;
  /** The form of all its numbers, where it has one. */
  readonly only?: RegExp;
  readonly page: RegExp;
  /** The one that it sells in, where its lists name none. */
  readonly currency?: string;
}

const SHOPS: readonly Shop[] = [
  { name: 'Digi-Key', header: /^(?:digi ?key|dk(?: ?pn)?)\b/, number: /^\S+-ND$/, page: /\bdigikey\./ },
  { name: 'Mouser', header: /^mouser\b/, page: /\bmouser\./ },
  { name: 'Farnell', header: /^(?:oc )?farnell\b/, page: /\bfarnell\./ },
  { name: 'Newark', header: /^(?:oc )?newark\b/, page: /\bnewark\./ },
  {
    ...{ name: 'LCSC', header: /^(?:(?:sz)?lcsc|jlc(?:pcb)?)\b/, number: /^C\d{4,8}$/, only: /^C\d+$/i },
    ...{ page: /\blcsc\./, currency: 'USD' },
  },
  { name: 'Arrow', header: /^arrow\b/, page: /\barrow\.com\b/ },
  { name: 'Avnet', header: /^avnet\b/, page: /\bavnet\./ },
  { name: 'TME', header: /^tme\b/, page: /\btme\.(?:eu|com)\b/ },
  { name: 'RS', header: /^rs\b/, page: /\brs-online\./ },
  { name: 'Reichelt', header: /^reichelt\b/, page: /\breichelt\./ },
  { name: 'McMaster-Carr', header: /^mc ?master\b/, page: /\bmcmaster\./ },
  { name: 'Misumi', header: /^misumi\b/, page: /\bmisumi\b/ },
  { name: 'Amazon', header: /^(?:amazon|asin)\b/, page: /\bamazon\./ },
  { name: 'Adafruit', header: /^adafruit\b/, page: /\badafruit\./ },
  { name: 'SparkFun', header: /^spark ?fun\b/, page: /\bsparkfun\./ },
  { name: 'Jameco', header: /^jameco\b/, page: /\bjameco\./ },
  { name: 'Pololu', header: /^pololu\b/, page: /\bpololu\./ },
  { name: 'Conrad', header: /^conrad\b/, page: /\bconrad\./ },
];

/** The currency of a shop whose lists name none. */
export const currencyOfShop = (shop: string): string | undefined => SHOPS.find(({ name }) => name === shop)?.currency;

/** Whether half of the numbers of a column or more have the form of one shop's. */
export const areOfShop = (column: Column): boolean =>
  SHOPS.some(({ number }) => number !== undefined && matchingShare(column, number) >= 0.5);

/** Whether a number among those of makers has the form of one of a shop. */
export const isOfShopForm = (text: string): boolean => /^\S+-ND$|^C\d{5,8}$/.test(text);

const letters = (text: string): string => bareHeader(text).replaceAll(' ', '');
const NAMES = SHOPS.map(({ name }) => letters(name));

/** Whether a text is the name of a shop, or the beginning of it. */
export const isShop = (text: string): boolean =>
  text.length > 1 && NAMES.some((name) => name.startsWith(letters(text)));

/** Shops whose numbers have neither a form nor a column in most lists. */
const OTHERS = ['AliExpress', 'eBay', 'Etsy', 'Banggood', 'Alibaba', 'Taobao'];

/** The name of the shop that a text names. */
export const shopNamed = (text: string): string | undefined =>
  [...SHOPS.map(({ name }) => name), ...OTHERS].find((name) => letters(name) === letters(text));

/** The share of names of a column that are those of shops. */
export const shopShare = ({ values, samples }: Column): number => {
  const names = [...(values?.keys() ?? samples)];
  return names.filter(isShop).length / Math.max(1, names.length);
};

const areMost = (column: Column, form: RegExp): boolean => matchingShare(column, form) >= 0.9;

/** The shop that the header of a column of numbers names. */
export function shopInHeader({ header }: Column): string | undefined {
  const found = header.split(/[/,]/).map((part) => SHOPS.find((shop) => shop.header.test(bareHeader(part)))?.name);
  return found.slice(1).some((name) => name !== undefined && name !== found[0]) ? undefined : found[0];
}

/** Whether a text in a column of a shop's numbers is none of them: it has another form than all, or no digit. */
export function isForeign(column: Column, text: string): boolean {
  const shop = shopInHeader(column);
  if (shop === undefined) return false;
  const { number, only } = SHOPS.find(({ name }) => name === shop) ?? {};
  const isOther = number !== undefined && matchingShare(column, number) >= 0.5 && !number.test(text);
  const isName = !/\d/.test(text) && !column.placeholders.has(text) && matchingShare(column, /\d/) >= 0.8;
  return isName || (isOther && only === undefined) || only?.test(text) === false;
}

/** The shop that all numbers of a column are from: by their form, or by the pages beside them. */
export const findShop = (numbers: Column, columns: readonly Column[]): string | undefined =>
  shopInHeader(numbers) ??
  SHOPS.find(
    ({ number, page }) =>
      (number !== undefined && areMost(numbers, number)) ||
      columns.some((column) => column.areAddresses && areMost(column, page)),
  )?.name;

/** Finds texts that do not have the form that makes the numbers of a column, without a header that says so, those of a shop. */
export function isOtherForm(numbers: Column): (text: string) => boolean {
  const form = SHOPS.find(({ number }) => number !== undefined && areMost(numbers, number))?.number;
  return (text) => shopInHeader(numbers) === undefined && form?.test(text) === false;
}
