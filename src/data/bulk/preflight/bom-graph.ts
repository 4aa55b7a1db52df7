import { KeyIndex } from '../rows/key-index.js';
import { NumberList } from '../rows/number-list.js';

/** Graph of the items in a BOM's rows, in about 12 bytes a row and 25 an item. */
export class BomGraph {
  readonly #index = new KeyIndex();
  readonly #parents = new NumberList();
  readonly #children = new NumberList();
  readonly #rows = new NumberList();
  #items = 0;

  add(parent: string, child: string, row: number): void {
    this.#parents.add(this.#itemOf(parent));
    this.#children.add(this.#itemOf(child));
    this.#rows.add(row);
  }

  /** Returns the rows of one circle in its order; undefined if there is none. */
  circle(): readonly number[] | undefined {
    const rows = this.#rows.values();
    return circleIn(this.#items, this.#parents.values(), this.#children.values())?.map((edge) => rows[edge] ?? 0);
  }

  #itemOf(key: string): number {
    const known = this.#index.firstRow(key, this.#items + 1);
    if (known === undefined) this.#items += 1;
    return (known ?? this.#items) - 1;
  }
}

/** Removes items that contain none of the remaining items, again and again; what then remains leads into a circle. */
function circleIn(items: number, parents: Uint32Array, children: Uint32Array): number[] | undefined {
  const held = new Uint32Array(items);
  for (const parent of parents) held[parent] = (held[parent] ?? 0) + 1;
  const { starts, edges } = byItem(items, children);
  const done = new NumberList();
  for (let item = 0; item < items; item += 1) if (held[item] === 0) done.add(item);
  for (let n = 0; n < done.values().length; n += 1) {
    const item = done.values()[n] ?? 0;
    for (const edge of edges.subarray(starts[item], starts[item + 1])) {
      const parent = parents[edge] ?? 0;
      held[parent] = (held[parent] ?? 0) - 1;
      if (held[parent] === 0) done.add(parent);
    }
  }
  return done.values().length === items ? undefined : walkCircle(held, parents, children);
}

/** Groups edges by item: those of an item are at `starts[item]` up to `starts[item + 1]`. */
function byItem(items: number, ends: Uint32Array): { starts: Uint32Array; edges: Uint32Array } {
  const starts = new Uint32Array(items + 1);
  for (const item of ends) starts[item + 1] = (starts[item + 1] ?? 0) + 1;
  for (let item = 0; item < items; item += 1) starts[item + 1] = (starts[item + 1] ?? 0) + (starts[item] ?? 0);
  const next = starts.slice();
  const edges = new Uint32Array(ends.length);
  for (const [edge, item] of ends.entries()) {
    edges[next[item] ?? 0] = edge;
    next[item] = (next[item] ?? 0) + 1;
  }
  return { starts, edges };
}

/** Every remaining item contains another one, so that a walk over them returns to an item that it has passed. */
function walkCircle(held: Uint32Array, parents: Uint32Array, children: Uint32Array): number[] {
  const onward = new Map<number, number>();
  for (const [edge, parent] of parents.entries()) {
    if ((held[parent] ?? 0) > 0 && (held[children[edge] ?? 0] ?? 0) > 0) onward.set(parent, edge);
  }
  const path: number[] = [];
  const seen = new Map<number, number>();
  let item = onward.keys().next().value ?? 0;
  while (!seen.has(item)) {
    seen.set(item, path.length);
    const edge = onward.get(item) ?? 0;
    path.push(edge);
    item = children[edge] ?? 0;
  }
  return path.slice(seen.get(item));
}
