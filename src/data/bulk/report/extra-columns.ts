/** Columns that dexsync adds to the files of failed and unprocessed rows, beside the source's own. */
export const EXTRA_COLUMNS = ['dexsync row', 'dexsync reason', 'dexsync certainty'] as const;

/** The last column of `absent.csv` of a resource whose rows fill a further object: whether that was there. */
export const SHARED_COLUMN = 'dexsync shared';

/** Whether a header is one of ours: a corrected file may be imported as it is, and they are no data. */
export const isExtraColumn = (header: string): boolean =>
  ([...EXTRA_COLUMNS, SHARED_COLUMN] as readonly string[]).includes(header.trim().toLowerCase());
