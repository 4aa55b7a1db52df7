import { keyIndex } from '../preflight/key-index.js';

/** Where the rows of an import are cut into the parts that one run each takes. */
export type Division =
  | { readonly by: 'size'; readonly rowsPerRun: number }
  /** The last rows of the parts of an earlier division, which must stay as it is while its runs are open. */
  | { readonly by: 'rows'; readonly lasts: ReadonlySet<number> };

/** A row whose group was sent in an earlier part, and the data row with which it began. */
export interface Scattered {
  readonly group: string;
  readonly first: number;
}

export interface Divider {
  /** Whether a cut comes before the next data row; `scattered` where its group is torn apart by that. */
  next(group: string | undefined): { readonly cut: 'yes' | 'no'; readonly scattered?: Scattered };
}

/** Cuts between groups only: where a run replaces all that a group had, a second run would take away what the first one gave. */
export function divider(division: Division): Divider {
  const groups = keyIndex();
  let [row, start] = [0, 1];
  let current: string | undefined;
  return {
    next(group) {
      row += 1;
      const within = group !== undefined && group === current;
      const full = division.by === 'size' ? row - start >= division.rowsPerRun && !within : division.lasts.has(row - 1);
      if (full && row > 1) start = row;
      const cut = start === row && row > 1 ? 'yes' : 'no';
      current = group;
      if (group === undefined || within) return { cut };
      const first = groups.firstRow(group, row);
      return first !== undefined && first < start ? { cut, scattered: { group, first } } : { cut };
    },
  };
}
