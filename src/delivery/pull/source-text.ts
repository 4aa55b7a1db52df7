/** A file as it is edited: without a byte order mark and with `\n` at the end of each line. */
export interface SourceText {
  readonly text: string;
  readonly mark: string;
  readonly lineEnd: '\n' | '\r\n';
}

/** What a file has, taken apart so that the text can be edited and put back as it was written. */
export function readText(content: string): SourceText {
  const mark = content.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = content.slice(mark.length);
  const breaks = text.match(/\r?\n/g) ?? [];
  const lineEnd = breaks.length > 0 && breaks.every((one) => one === '\r\n') ? '\r\n' : '\n';
  return { text: lineEnd === '\n' ? text : text.replaceAll('\r\n', '\n'), mark, lineEnd };
}

/** The text in the form that the file had. */
export const writtenText = (text: string, { mark, lineEnd }: Omit<SourceText, 'text'>): string =>
  mark + (lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd));
