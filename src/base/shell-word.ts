/** Quotes a file or an address so that it can be typed after a command. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
