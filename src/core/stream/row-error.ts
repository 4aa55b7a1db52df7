/**
 * `certain`: row number and key agree. `by-row`, `by-key`: one of them led to the row, and the other could neither
 * confirm nor deny it. `doubtful`: they disagree.
 */
export type Certainty = 'certain' | 'by-row' | 'by-key' | 'doubtful';

/** A failed row, at its place in the source. */
export interface RowError {
  /** Undefined if neither row number nor key lead to a row. */
  readonly row: number | undefined;
  /** The other rows of the source that were added to it, if it repeats a BOM line. */
  readonly alsoRows?: readonly number[];
  /** Their worksheets, if one of them is in another one. */
  readonly alsoIn?: readonly string[];
  /** The number of the data row in the import, from 1. */
  readonly dataRow?: number;
  /** The other data row that the line may mean, if row number and key lead to two. */
  readonly orDataRow?: number;
  readonly worksheet?: string;
  readonly key: string;
  /** For a BOM line: the number of the part, while `key` is that of its parent. */
  readonly part?: string;
  /** The column of the error, or else the one that distinguishes the row from others, with the cell's value. */
  readonly column?: string;
  readonly value?: string;
  readonly code: number | undefined;
  readonly message: string;
  /** The message without the parts that differ between rows: that of its group. */
  readonly cause: string;
  readonly certainty: Certainty;
  /** The results of row number and key, if they disagree. */
  readonly doubt?: string;
}

/** A row as an example of its cause. */
export interface Sample {
  readonly row: number | undefined;
  readonly worksheet?: string;
  readonly key?: string;
  readonly column?: string;
  readonly value?: string;
}

/** Failed rows of one cause, or findings of one. */
export interface ErrorGroup {
  /** The service's number, or the name of a finding. */
  readonly code: number | string | undefined;
  /** The message without the parts that differ between rows. */
  readonly message: string;
  readonly count: number;
  /** A plain explanation; absent if the code is unknown. */
  readonly explanation?: string;
  readonly advice?: string;
  /** The first ones. */
  readonly samples: readonly Sample[];
}
