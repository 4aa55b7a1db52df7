/** A file as it can be typed after a command. */
export const shellWord = (file: string): string =>
  /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
