/** A part as its maker numbers it. */
export interface MakerPart {
  readonly maker: string;
  readonly number: string;
}

/** A maker's part of a workspace, and the numbers of the items that it is a source of. */
export interface KnownPart extends MakerPart {
  readonly items: readonly string[];
}

/** A row of a list with the parts of makers that it names. */
export interface MakerRow {
  readonly row: number;
  /** The item number that is proposed for it. */
  readonly key: string;
  readonly parts: readonly MakerPart[];
}

/** The items that exist for the makers' parts of rows. */
export interface Matches {
  /** By row: the items that have its maker's part as a source; only the proposed one, if that is among them. */
  readonly found: ReadonlyMap<number, readonly string[]>;
  readonly near: readonly NearMatch[];
}

/** A part of rows without an item, and one of the workspace with nearly the same number, or of another maker. */
export interface NearMatch {
  readonly part: MakerPart;
  readonly known: KnownPart;
  readonly rows: readonly number[];
}

/** Letters and digits alone, without letter case: numbers that agree in these are nearly the same. */
export const foldNumber = (number: string): string =>
  number
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Finds the rows whose maker and number belong to existing items, and for the other rows what is nearly the same. */
export function matchParts(rows: readonly MakerRow[], known: readonly KnownPart[]): Matches {
  const sourced = known.filter(({ items }) => items.length > 0);
  const named = groups(sourced, nameOf);
  const alike = groups(sourced, ({ number }) => foldNumber(number));
  const found = new Map<number, readonly string[]>();
  const near = new Map<string, NearMatch>();
  for (const { row, key, parts } of rows) {
    const items = parts.flatMap((part) => named.get(nameOf(part)) ?? []).flatMap((one) => one.items);
    if (items.length > 0) {
      found.set(row, items.includes(key) ? [key] : [...new Set(items)]);
      continue;
    }
    for (const part of parts)
      for (const one of alike.get(foldNumber(part.number)) ?? []) {
        const name = nameOf(part) + nameOf(one);
        near.set(name, { part, known: one, rows: [...(near.get(name)?.rows ?? []), row] });
      }
  }
  return { found, near: [...near.values()] };
}

const nameOf = ({ maker, number }: MakerPart): string => JSON.stringify([maker, number]);

function groups<T>(all: readonly T[], by: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(by(one), [...(found.get(by(one)) ?? []), one]);
  return found;
}

/** Whether rows with one proposed number have the same item, or none of them has one. */
export function isDecided(rows: readonly MakerRow[], { found }: Matches): boolean {
  const items = new Map<string, string>();
  return rows.every(({ row, key }) => {
    const [item = ''] = found.get(row) ?? [];
    const before = items.get(key) ?? item;
    items.set(key, before);
    return before === item;
  });
}
