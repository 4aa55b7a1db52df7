import { KeyIndex } from './key-index.js';

/** How the rows of an import are cut into parts of one run each. */
export type Division =
  | { readonly by: 'size'; readonly rowsPerRun: number }
  /** The last rows of the parts of an earlier division, which must stay as it is while its runs are open. */
  | { readonly by: 'rows'; readonly lasts: ReadonlySet<number> };

/** Border before a data row: a cut or not, and if it separates a group, the first row of that group. */
export interface Border {
  readonly cut: boolean;
  readonly torn?: number;
}

/** Call it once for each data row, in order. */
export interface RowDivider {
  /** `group`: the group whose rows must stay together; undefined if the row has none. */
  next(group: string | undefined): Border;
}

/** Cuts only between groups: if runs replace a whole group, a second run would remove the rows of the first one. */
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
      const cut = row > 1 && isFull(within);
      if (cut) start = row;
      current = group;
      return { cut, ...(group === undefined || within ? {} : tornSince(group)) };
    },
  };
}
