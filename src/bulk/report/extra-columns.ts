/** Columns that dexsync adds to the files of failed and unprocessed rows, beside the source's own. */
export const EXTRA_COLUMNS = ['dexsync row', 'dexsync reason', 'dexsync certainty'] as const;

/** Whether a header is one of them: a corrected file may be imported as it is, and they are no data. */
export const isExtraColumn = (header: string): boolean =>
  (EXTRA_COLUMNS as readonly string[]).includes(header.trim().toLowerCase());
