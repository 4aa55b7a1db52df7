import { bareHeader } from './column-names.js';
import { type Draft, withRemark } from './draft.js';
import type { KnownTable } from './known-table.js';
import type { Role } from './meanings.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';

/** What rows of one part have in common. */
const OF_PART: readonly Role[] = ['value', 'package', 'name', 'mpn'];
/** A header that says what one piece costs. */
export const OF_PIECE = /\b(?:unit|each|per|einzel|stuck|unitaire?|unitario|jednostkow[ay])/;

/** What a row says of a part. */
interface Priced {
  readonly quantity: number;
  readonly cost: number;
}

/** Leaves the costs of items out if they grow with the quantities: they are those of lines. */
export async function withoutLinePrices(path: string, draft: Draft, { roles, rows }: KnownTable): Promise<Draft> {
  const [cost, quantity] = [roles.get('cost'), roles.get('quantity')];
  if (draft.mapping.get('standardCost') !== cost?.name || cost === undefined || quantity === undefined) return draft;
  const parts = OF_PART.flatMap((role) => roles.get(role) ?? []);
  if (parts.length === 0 || rows > MOST_ALIKE || OF_PIECE.test(bareHeader(cost.header))) return draft;
  const known = new Map<string, Priced>();
  const found = { grow: 0, stay: 0 };
  const names = [cost, quantity, ...parts].map(({ name }) => name);
  await eachRowCells(path, draft.source, names, ([price = '', pieces = '', ...cells]) => {
    const one = { cost: numberIn(price), quantity: numberIn(pieces) };
    if (!(one.cost > 0 && one.quantity > 0)) return;
    const part = cells.join('\n').toLowerCase();
    const other = known.get(part);
    if (other === undefined) known.set(part, one);
    else if (other.quantity !== one.quantity) {
      if (other.cost === one.cost) found.stay += 1;
      else if (growsAlike(one, other)) found.grow += 1;
    }
  });
  if (found.grow === 0 || found.stay > 0) return draft;
  const mapping = new Map([...draft.mapping].filter(([field]) => field !== 'standardCost'));
  return withRemark(
    { ...draft, mapping },
    `Open: the prices in "${cost.name}" grow with the quantity of a part, so they are those of lines and no standard costs.`,
  );
}

const numberIn = (text: string): number => Number(text.replace(/[^\d.,-]/g, '').replace(',', '.'));

const growsAlike = (one: Priced, other: Priced): boolean =>
  Math.abs(one.cost / one.quantity - other.cost / other.quantity) < (other.cost / other.quantity) * 0.05;
