/** Columns that dexsync adds to the files of failed and unprocessed rows, besides the source's own. */
export const EXTRA_COLUMNS = ['dexsync row', 'dexsync reason', 'dexsync certainty'] as const;

/** The last column of `absent.csv` if rows also fill a shared object: whether that object existed. */
export const SHARED_COLUMN = 'dexsync shared';

/** Whether a header is one of dexsync's own, which are not data: a corrected file may be imported as it is. */
export const isExtraColumn = (header: string): boolean =>
  ([...EXTRA_COLUMNS, SHARED_COLUMN] as readonly string[]).includes(header.trim().toLowerCase());
