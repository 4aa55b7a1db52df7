/** A file or an address as it can be typed after a command. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
