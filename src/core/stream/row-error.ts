/**
 * `certain`: row number and key agree. `by-row`, `by-key`: one of them led there and the other could neither confirm nor
 * deny it. `doubtful`: they disagree.
 */
export type Certainty = 'certain' | 'by-row' | 'by-key' | 'doubtful';

/** A failed row, at its place in the source. */
export interface RowError {
  /** Undefined where neither row number nor key lead to a row. */
  readonly row: number | undefined;
  /** The other rows of the source that were added to it, where it repeats a line of a BOM. */
  readonly alsoRows?: readonly number[];
  /** Which data row of the import that is, from 1. */
  readonly dataRow?: number;
  /** The other data row that the line may mean, where row number and key lead to two. */
  readonly orDataRow?: number;
  readonly worksheet?: string;
  readonly key: string;
  /** Of a line of a BOM: the number of the part, where `key` is that of its parent. */
  readonly part?: string;
  /** The column that the error is about, else the one that tells the row from others, with the cell's value. */
  readonly column?: string;
  readonly value?: string;
  readonly code: number | undefined;
  readonly message: string;
  /** The message without what differs from row to row: that of its group. */
  readonly cause: string;
  readonly certainty: Certainty;
  /** Where row number and key disagree: what each of them says. */
  readonly doubt?: string;
}

/** A row as an example of its cause. */
export interface Sample {
  readonly row: number | undefined;
  readonly key?: string;
  readonly column?: string;
  readonly value?: string;
}

/** Failed rows of one cause, or findings of one. */
export interface ErrorGroup {
  /** The service's number, or the name of a finding. */
  readonly code: number | string | undefined;
  /** The message without what differs from row to row. */
  readonly message: string;
  readonly count: number;
  /** In plain words; absent where the code is not known. */
  readonly explanation?: string;
  readonly advice?: string;
  /** The first ones. */
  readonly samples: readonly Sample[];
}
