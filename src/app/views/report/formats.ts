/** The formats of `--output FORMAT=FILE`. */
export const REPORT_FORMATS = ['md', 'html', 'junit', 'sarif', 'github', 'gitlab', 'json'] as const;

/** One of `REPORT_FORMATS`. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];
