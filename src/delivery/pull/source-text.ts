/** A file in the form for editing: without a byte order mark and with `\n` at the end of each line. */
export interface SourceText {
  readonly text: string;
  readonly mark: string;
  readonly lineEnd: '\n' | '\r\n';
}

/** Splits a file so that its text can be edited and written back in the original form. */
export function readText(content: string): SourceText {
  const mark = content.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = content.slice(mark.length);
  const breaks = text.match(/\r?\n/g) ?? [];
  const lineEnd = breaks.length > 0 && breaks.every((one) => one === '\r\n') ? '\r\n' : '\n';
  return { text: lineEnd === '\n' ? text : text.replaceAll('\r\n', '\n'), mark, lineEnd };
}

/** Restores the original form of a file. */
export const writtenText = (text: string, { mark, lineEnd }: Omit<SourceText, 'text'>): string =>
  mark + (lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd));
