/** A time in UTC without its fraction of a second. */
export const secondsOf = (at: string): string => at.replace(/\.\d+Z$/, 'Z');
