import { createTwoFilesPatch } from 'diff';
import type { Palette } from './palette.js';

/** The changes of a file, as `diff -u` shows them. */
export function fileDiffText(
  { file, before, after }: { readonly file: string; readonly before: string; readonly after: string },
  palette: Palette,
): string {
  const lines = createTwoFilesPatch(file, file, before, after, 'before', 'after').split('\n');
  return lines
    .filter((line) => !line.startsWith('==='))
    .map((line) => paintLine(line, palette))
    .join('\n');
}

function paintLine(line: string, palette: Palette): string {
  if (/^(---|\+\+\+) /.test(line)) return palette.bold(line);
  if (line.startsWith('@@')) return palette.cyan(line);
  if (line.startsWith('+')) return palette.green(line);
  return line.startsWith('-') ? palette.red(line) : line;
}
