/** What `--output FORMAT=FILE` can write. */
export const REPORT_FORMATS = ['md', 'html', 'junit', 'sarif', 'github', 'gitlab', 'json'] as const;

/** One of `REPORT_FORMATS`. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];
