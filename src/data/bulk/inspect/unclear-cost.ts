import type { Column } from './column.js';
import { bareHeader } from './column-names.js';
import { currencyOf } from './currencies.js';
import { columnOption } from './draft.js';
import type { KnownTable } from './known-table.js';
import { OF_PIECE } from './line-prices.js';
import { isOrder } from './order-list.js';

/** Headers of columns with the amount that a price is for. */
const PER =
  /^(?:(?:price|cost) )?(?:per|unit)$|^(?:qty|quantity|pieces|pcs|number|units|count) (?:per|in|of) (?:a |the )?(?:pack|package|box|bag|set|lot)$|^pack(?:age)? (?:size|qty|quantity)$|^(?:preis ?einheit|pe|prijs per|prix par|je)$/;
const CURRENCY = /^(?:(?:price|cost) )?(?:currency|curr|cur|unit)$|^(?:wahrung|devise|moneda|valuta|waluta)$/;

/** Headers of what a line costs, and no piece. */
const OF_LINES = /\b(?:total|estimated|est|ext|extended|sum|summe|totale|totaal|suma)\b|gesamt|合計|合计|小計|小计/;
const OF_MONEY = /price|cost|preis|kosten|prix|cout|precio|coste|prezzo|cena|koszt|prijs|価|价/;

/** Whether a header says that a column has what lines cost. */
function areOfLines({ header }: Column): boolean {
  const bare = bareHeader(header.replaceAll(/[∑Σ]/g, 'total '));
  return OF_MONEY.test(bare) && OF_LINES.test(bare) && !OF_PIECE.test(bare);
}

/** Says that costs are those of lines, if no column has those of pieces and lines are of several pieces. */
export function lineCosts({ columns, roles, meanings = {} }: KnownTable): readonly string[] {
  const [cost, quantity] = [roles.get('cost'), roles.get('quantity')];
  const lines = (cost === undefined ? columns : [cost]).find(
    (one) => one.name !== '' && meanings[one.name] === undefined && one.numbers !== undefined && areOfLines(one),
  );
  const isEachOne = quantity === undefined || (quantity.distinct === 1 && quantity.values?.has('1') === true);
  if (lines === undefined || isEachOne) return [];
  return [
    `Open: the header "${lines.name}" is one of costs of lines, and no column has those of pieces. If it has them, inspect the file again with \`${columnOption(lines.name, 'cost')}\`.`,
  ];
}

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

/** Says in which currency costs are: the import takes their numbers alone. */
export function costCurrency({ columns, roles }: Pick<KnownTable, 'columns' | 'roles'>): readonly string[] {
  const cost = roles.get('cost');
  const found = cost === undefined || isOrder(columns) ? undefined : currencyOf(cost, columns);
  if (cost === undefined || found === undefined) return [];
  const from = found.column === cost ? '' : ` ("${found.column.name}")`;
  return [
    `Open: costs in "${cost.name}" are in ${found.code}${from}, and only their numbers are imported. Check that this is the currency of the workspace.`,
  ];
}
