import { joinKey, KeyIndex } from '../rows/key-index.js';
import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import type { Draft } from './draft.js';

/** A field that differs between rows of one key, with the later ones of these rows. */
export interface DifferingField {
  readonly field: string;
  readonly rows: readonly number[];
}

const MOST_KEYS = 50_000;
const KEYS = ['number', 'supplier.name', 'supplierItem.number'];

interface Place {
  readonly field: string;
  readonly index: number;
}

/** Reads the rows of a draft twice; keeps only the cells of repeated keys, and of at most 50,000 of these. */
export async function findDifferingFields(path: string, draft: Draft): Promise<DifferingField[]> {
  const repeated = new Map<number, readonly string[] | undefined>();
  const index = new KeyIndex();
  await eachRow(path, draft, (key, row) => {
    const first = index.firstRow(key, row);
    if (first !== undefined && repeated.size < MOST_KEYS) repeated.set(first, undefined);
  });
  const unlike = new Map<string, number[]>();
  await eachRow(path, draft, (key, row, cells, places) => {
    const first = index.firstRow(key, row) ?? row;
    if (!repeated.has(first)) return;
    const before = repeated.get(first);
    if (before === undefined) repeated.set(first, cells);
    else noteUnlike(unlike, places, before, cells, row);
  });
  return [...unlike].map(([field, rows]) => ({ field, rows }));
}

function noteUnlike(
  unlike: Map<string, number[]>,
  places: readonly Place[],
  one: readonly string[],
  other: readonly string[],
  row: number,
): void {
  for (const { field, index } of places) {
    if ((one[index] ?? '').trim() === (other[index] ?? '').trim()) continue;
    unlike.set(field, [...(unlike.get(field) ?? []), row]);
  }
}

type OnRow = (key: string, row: number, cells: readonly string[], places: readonly Place[]) => void;

async function eachRow(path: string, { source, mapping }: Draft, onRow: OnRow): Promise<void> {
  const table = await openSource(path, source);
  const places = [...mapping].flatMap(([field, column]): Place[] => {
    const place = findColumn(table.headers, column);
    return place?.is === 'at' ? [{ field, index: place.index }] : [];
  });
  const keys = places.filter(({ field }) => KEYS.includes(field));
  for await (const { row, cells } of table.rows) {
    onRow(joinKey(keys.map((place) => (cells[place.index] ?? '').trim())), row, cells, places);
  }
}
