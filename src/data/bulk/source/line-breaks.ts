const LINE_BREAK = /\r\n|\n|\r/g;

/** How many line breaks of any kind a text has. */
export const breaksIn = (text: string): number => text.match(LINE_BREAK)?.length ?? 0;
