import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Papa from 'papaparse';

const DATA = resolve(process.env.DEXSYNC_SHARED ?? '../shared', 'data/volume/anp-exe/lego-set-analysis/data');

export const hasCatalogue = existsSync(DATA);
if (!hasCatalogue) console.warn(`Skipped: the large tables are not at ${DATA} (DEXSYNC_SHARED names another folder).`);

export type Row = Readonly<Record<string, string>>;

/** The tables of the catalogue by the names of their files. */
export const TABLES = ['elements', 'sets', 'minifigs', 'inventories', 'inventory_minifigs', 'inventory_sets'] as const;
export type TableName = (typeof TABLES)[number];
export type Catalogue = Readonly<Record<TableName, readonly Row[]>>;

/** All of it, read without dexsync. */
export function wholeCatalogue(): Catalogue {
  const table = (name: TableName): [TableName, Row[]] => [
    name,
    Papa.parse<Row>(readFileSync(resolve(DATA, `${name}.csv`), 'utf8'), { header: true, skipEmptyLines: true }).data,
  ];
  return Object.fromEntries(TABLES.map(table)) as Record<TableName, Row[]>;
}

/** Some hundred rows that need none of the others. */
export function partOf(all: Catalogue, random: () => number): Catalogue {
  const inventories = sampleOf(all.inventories, 150, random);
  const ids = new Set(inventories.map(({ id }) => id));
  const isOf = ({ inventory_id: id }: Row): boolean => ids.has(id);
  const [figures, sets] = [all.inventory_minifigs.filter(isOf), all.inventory_sets.filter(isOf)];
  const needed = new Set(
    [...inventories, ...figures, ...sets].map(({ set_num: set, fig_num: figure }) => set ?? figure),
  );
  return {
    elements: sampleOf(all.elements, 300, random),
    sets: all.sets.filter(({ set_num: number }) => needed.has(number)),
    minifigs: all.minifigs.filter(({ fig_num: number }) => needed.has(number)),
    inventories,
    inventory_minifigs: figures,
    inventory_sets: sets,
  };
}

export function sampleOf<T>(all: readonly T[], count: number, random: () => number): T[] {
  const places = new Set<number>();
  while (places.size < Math.min(count, all.length)) places.add(Math.floor(random() * all.length));
  return all.filter((_, place) => places.has(place));
}

/** Numbers from 0 up to 1, always the same ones for a seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}
