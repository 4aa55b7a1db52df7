import { KeyIndex } from './key-index.js';

/** Where the rows of an import are cut into the parts that one run each takes. */
export type Division =
  | { readonly by: 'size'; readonly rowsPerRun: number }
  /** The last rows of the parts of an earlier division, which must stay as it is while its runs are open. */
  | { readonly by: 'rows'; readonly lasts: ReadonlySet<number> };

/** What comes before a data row: a cut or not, and where it tears its group apart, the row with which that began. */
export interface Border {
  readonly cut: 'yes' | 'no';
  readonly torn?: number;
}

/** Asked once for each data row, in order. */
export interface RowDivider {
  /** `group`: what the row belongs to and must stay with; undefined where that does not matter. */
  next(group: string | undefined): Border;
}

/** Cuts between groups only: where a run replaces all that a group had, a second run would take away what the first one gave. */
export function divideRows(division: Division): RowDivider {
  const groups = new KeyIndex();
  let [row, start] = [0, 1];
  let current: string | undefined;
  const isFull = (within: boolean): boolean =>
    division.by === 'size' ? row - start >= division.rowsPerRun && !within : division.lasts.has(row - 1);
  const tornSince = (group: string): Pick<Border, 'torn'> => {
    const first = groups.firstRow(group, row);
    return first !== undefined && first < start ? { torn: first } : {};
  };
  return {
    next(group) {
      row += 1;
      const within = group !== undefined && group === current;
      const cut = row > 1 && isFull(within) ? 'yes' : 'no';
      if (cut === 'yes') start = row;
      current = group;
      return { cut, ...(group === undefined || within ? {} : tornSince(group)) };
    },
  };
}
