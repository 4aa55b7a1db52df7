const LINE_BREAK = /\r\n|\n|\r/g;

/** Number of line breaks of any kind in a text. */
export const breaksIn = (text: string): number => text.match(LINE_BREAK)?.length ?? 0;
