/** A cell may contain line breaks, but a comment ends with its line. */
export const commentLine = (text: string): string => `# ${oneLine(text)}\n`;

/** Writes a text on one line, without control characters. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
