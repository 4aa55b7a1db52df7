import { bareHeader } from './column-names.js';
import type { KnownTable } from './known-table.js';

/** Headers of columns with the amount that a price is for. */
const PER =
  /^(?:(?:price|cost) )?(?:per|unit)$|^(?:qty|quantity|pieces|pcs|number|units|count) (?:per|in|of) (?:a |the )?(?:pack|package|box|bag|set|lot)$|^pack(?:age)? (?:size|qty|quantity)$|^(?:preis ?einheit|pe|prijs per|prix par|je)$/;
const CURRENCY = /^(?:(?:price|cost) )?(?:currency|curr|cur|unit)$|^(?:wahrung|devise|moneda|valuta|waluta)$/;

/** Why prices are no costs of a piece, if they are for different amounts or in several currencies. */
export function unclearCost({ columns, roles }: KnownTable): readonly string[] {
  const cost = roles.get('cost');
  if (cost === undefined) return [];
  const different = (header: RegExp, form: RegExp, least: number) =>
    columns.find(
      (one) =>
        header.test(bareHeader(one.header)) &&
        [...(one.values?.keys() ?? [])].filter((value) => form.test(value)).length >= least,
    );
  const per = different(PER, /^(?!1(?:[.,]0+)?$)\d/, 1);
  const currency = different(CURRENCY, /^[A-Z]{3}$/, 2);
  const why = [
    ...(per === undefined ? [] : [`for different amounts ("${per.name}")`]),
    ...(currency === undefined ? [] : [`in several currencies ("${currency.name}")`]),
  ];
  return why.map((one) => `Open: the prices in "${cost.name}" are ${one}, so they are no standard costs.`);
}

/** Currencies in headers and cells. */
const CODE =
  /(?<![A-Z])(?:EUR|USD|GBP|CHF|PLN|JPY|CNY|RMB|CZK|SEK|NOK|DKK|HUF|AUD|CAD|INR|RUB|TRY|BRL|COP|MXN|CLP|ARS|KRW)(?![A-Z])|[€$£¥₽₹]|zł/;

/** Says in which currency costs are: the import takes their numbers alone. */
export function costCurrency({ roles }: Pick<KnownTable, 'roles'>): readonly string[] {
  const cost = roles.get('cost');
  const texts = cost === undefined ? [] : [...[cost.numbers?.unit ?? []].flat(), cost.header];
  const [currency] = texts.flatMap((text) => CODE.exec(text)?.[0] ?? []);
  if (cost === undefined || currency === undefined) return [];
  return [
    `Open: costs in "${cost.name}" are in ${currency}, and only their numbers are imported. Check that this is the currency of the workspace.`,
  ];
}
