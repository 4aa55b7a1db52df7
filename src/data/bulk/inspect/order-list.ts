import { type Column, matchingShare, type Roles } from './column.js';
import { bareHeader } from './column-names.js';
import { currencyOf } from './currencies.js';
import { columnOption } from './draft.js';
import type { Meaning } from './meanings.js';
import { currencyOfShop, findShop } from './shops.js';

/** Headers of which an order at a supplier, such as the cart of a shop, has several. */
const OF_ORDERS: readonly RegExp[] = [
  /^(?:order(?:ed)? (?:qty|quantity)|(?:qty|quantity) ordered|bestellmenge|quantite commandee|cantidad pedida)$/,
  /^(?:backorder(?:ed)?|back order(?:ed)?|min(?:imum)? mult\b.*)$/,
  /^(?:ext|extended|order|line)(?: (?:price|cost|amount|total))?(?: [a-z]{3})?$/,
  /^(?:digi ?key|mouser|lcsc|farnell|newark|element14|rs|tme|arrow|avnet|distrelec|reichelt|conrad)\b.*/,
];
/** Alone it says so: no BOM has what a shop cannot deliver yet. */
const OF_CART = /^back ?order(?:ed)?(?: qty| quantity)?$/;
const OURS = /^(?:our|unsere?|notre|nuestr[oa]) .*(?:no|nr|num|number|nummer|numero|code|ref|reference)$/;
const YOURS = /^(?:your|ihre?|votre|su|vuestr[oa]) .*(?:no|nr|num|number|nummer|numero|code|ref|reference)$/;
const OF_CUSTOMER =
  /^(?:customer|kunden?) ?(?:reference|ref|referenz|(?:part )?(?:no|nr|num|number|nummer))$|^(?:our|unsere?) (?:item|part|article|artikel|material|teile) ?(?:no|nr|num|number|nummer)$/;
const OF_BOMS: readonly Meaning[] = ['number', 'quantity', 'cost'];
/** Each of them is in some BOM, too. */
const LEAST = 3;

/** Whether a list is an order: its quantities and prices are those of a purchase, and its numbers those of the supplier. */
export function isOrder(columns: readonly Pick<Column, 'header'>[]): boolean {
  const bare = columns.map(({ header }) => bareHeader(header));
  const isBetweenTwo = [OURS, YOURS].every((one) => bare.some((header) => one.test(header)));
  return (
    isBetweenTwo ||
    bare.some((header) => OF_CART.test(header)) ||
    [...OF_ORDERS, OF_CUSTOMER].filter((one) => bare.some((header) => one.test(header))).length >= LEAST
  );
}

/** Takes the meanings of a BOM from the columns of an order, besides those that people gave. */
export function orderRoles(roles: Roles, columns: readonly Column[], given: ReadonlySet<Meaning | 'none'>): Roles {
  if (!isOrder(columns)) return roles;
  const taken = new Map([...roles].filter(([role]) => given.has(role) || !OF_BOMS.includes(role)));
  addNumbers(taken, roles, columns);
  const cost = roles.get('cost');
  // Prices of shops are costs, if people can see in which currency.
  if (cost !== undefined && shopOf(taken, columns) !== undefined && whichCurrency(cost, taken, columns) !== undefined)
    taken.set('cost', cost);
  return taken;
}

function addNumbers(taken: Map<Meaning, Column>, roles: Roles, columns: readonly Column[]): void {
  const number = roles.get('number');
  if (taken.has('number')) return;
  const own = customerNumber(columns, roles);
  if (own !== undefined) taken.set('number', own);
  else if (number !== undefined && !roles.has('mpn')) taken.set('number', number);
  if (number !== undefined && taken.get('number') !== number && !roles.has('supplierPartNumber'))
    taken.set('supplierPartNumber', number);
}

/** The shop that the numbers of an order are from. */
function shopOf(roles: Roles, columns: readonly Column[]): string | undefined {
  const numbers = roles.get('supplierPartNumber');
  return numbers === undefined ? undefined : findShop(numbers, columns);
}

/** In which currency the prices of an order are, and how that is known. */
function whichCurrency(cost: Column, roles: Roles, columns: readonly Column[]): string | undefined {
  const read = currencyOf(cost, columns);
  if (read !== undefined) return `${read.code} (read in "${read.column.name}")`;
  const shop = shopOf(roles, columns);
  const usual = shop === undefined ? undefined : currencyOfShop(shop);
  return usual === undefined ? undefined : `${usual} (assumed, as the list names none and ${shop} usually sells in it)`;
}

/** Says which prices are taken, and what to do if these are no costs. */
function priceRemark(cost: Column, roles: Roles, columns: readonly Column[]): string {
  const currency = whichCurrency(cost, roles, columns);
  const where = currency === undefined ? 'a currency that the list does not name' : currency;
  return `Open: the prices of the order in "${cost.name}" are taken as costs, in ${where}. Only their numbers are imported: check that this is the currency of the workspace. To leave them out, inspect the file again with \`${columnOption(cost.name, 'none')}\`.`;
}

/** The numbers that the customer gave to the parts, if there is one for each. */
function customerNumber(columns: readonly Column[], roles: Roles): Column | undefined {
  const least = roles.get('mpn')?.filled ?? 1;
  return columns.find(
    (column) =>
      OF_CUSTOMER.test(bareHeader(column.header)) &&
      !column.areDesignators &&
      column.filled >= least &&
      column.distinct === column.filled &&
      matchingShare(column, /[\s,]/) < 0.2,
  );
}

/** Says what is not read in an order, and which numbers and costs the items get. */
export function orderRemarks(columns: readonly Column[], roles: Roles, cost: Column | undefined): string[] {
  if (!isOrder(columns)) return [];
  const number = roles.get('number');
  const isCustomers = number !== undefined && OF_CUSTOMER.test(bareHeader(number.header));
  const counted = roles.has('refDes') ? ' (designators are counted)' : '';
  const [noCosts, option] =
    cost === undefined ? [', and its prices are no standard costs', ' or `--column NAME=cost`'] : ['', ''];
  return [
    ...(isCustomers ? [`The numbers of the customer ("${number.name}") are used as item numbers.`] : []),
    ...(cost === undefined ? [] : [priceRemark(cost, roles, columns)]),
    ...(roles.has('quantity')
      ? []
      : [
          `Open: the list is an order: its quantities are not those of a BOM${counted}${noCosts}. If they are, inspect it with \`--column NAME=quantity\`${option}.`,
        ]),
  ];
}
