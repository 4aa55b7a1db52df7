/** The end of a command's help: command lines to copy. */
export const examples = (...lines: readonly string[]): string =>
  `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}`;
