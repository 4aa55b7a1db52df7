import type { ImportSource } from '#core/jobs/source.js';
import type { Column } from './column.js';
import { type Draft, LEFT_OUT, withoutRemark, withoutValues, withSource } from './draft.js';
import { shopInHeader, shopNamed } from './shops.js';

/** A number, and the shop that sells it, in brackets. */
const ELSEWHERE = /^(?<number>\S*\d\S*)\s*\((?<shop>\p{L}[^()]*)\)$/u;

/** Cells in a column of numbers that name another shop than the rest, by shop, with their numbers. */
function soldElsewhere({ values }: Column): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const found = new Map<string, Record<string, string>>();
  for (const cell of values?.keys() ?? []) {
    const { number, shop = '' } = ELSEWHERE.exec(cell)?.groups ?? {};
    const name = shopNamed(shop);
    if (number !== undefined && name !== undefined) found.set(name, { ...found.get(name), [cell]: number });
  }
  return found;
}

/** Reads such cells as their numbers, where the numbers of the items have them. */
export function withoutShops(
  columns: readonly Column[],
  inKey: readonly string[],
): NonNullable<ImportSource['values']> {
  const found = columns
    .filter((column) => inKey.includes(column.name) && shopInHeader(column) !== undefined)
    .map((column) => [column.name, Object.assign({}, ...soldElsewhere(column).values()) as Record<string, string>]);
  return Object.fromEntries(found.filter(([, values]) => Object.keys(values ?? {}).length > 0));
}

/** Drafts the numbers of a column of a shop, and those that name another shop in brackets. */
export function dividedBySeller(
  column: Column,
  sourcesAt: (seller: string) => Draft | undefined,
  shop: string,
): (Draft | undefined)[] {
  const elsewhere = soldElsewhere(column);
  const cells = [...elsewhere].flatMap(([, numbers]) => Object.keys(numbers));
  const own = sourcesAt(shop);
  const others = [...elsewhere].map(([seller, numbers]) => {
    const given = sourcesAt(seller);
    const draft = given && withoutRemark(given, LEFT_OUT);
    const { where, values } = draft?.source ?? {};
    return (
      draft &&
      withSource(draft, {
        where: { ...where, [column.name]: Object.keys(numbers) },
        values: { ...values, [column.name]: { ...values?.[column.name], ...numbers } },
      })
    );
  });
  return [own && cells.length > 0 ? withSource(own, withoutValues(own.source, column.name, cells)) : own, ...others];
}
