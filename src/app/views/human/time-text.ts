/** Formats a time of the service or a journal as `2026-11-22 10:16:08 UTC`; returns any other text unchanged. */
export const timeText = (at: string): string => (ISO.test(at) ? `${columnTime(at)} UTC` : at);

/** Formats a time without its zone, for a column whose head names that. */
export const columnTime = (at: string): string => at.replace(ISO, '$1 $2');

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;
