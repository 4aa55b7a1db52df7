import xterm from '@xterm/headless';
import { ROWS } from './terminal.js';

/** What a person sees of the bytes that a program wrote to a terminal: all lines, those that have scrolled away included. */
export interface Screen {
  readonly lines: readonly string[];
  readonly cursor: 'shown' | 'hidden';
  /** Lines that were broken because they were longer than the terminal. */
  readonly wrapped: readonly string[];
}

/** Renders bytes with a terminal that knows nothing of dexsync. */
export async function screenOf(written: string, columns: number): Promise<Screen> {
  const terminal = new xterm.Terminal({ cols: columns, rows: ROWS, scrollback: 10_000, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(written, done));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, index) => active.getLine(index));
  const textOf = (row: (typeof rows)[number]): string => row?.translateToString(true) ?? '';
  const lines = rows.map(textOf);
  const shown = {
    lines: trimEnd(lines),
    cursor: cursorAfter(written),
    wrapped: rows.filter((row) => row?.isWrapped).map(textOf),
  };
  terminal.dispose();
  return shown;
}

const trimEnd = (lines: readonly string[]): string[] => lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);

const cursorAfter = (written: string): Screen['cursor'] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled this way.
  [...written.matchAll(/\u001b\[\?25([hl])/g)].at(-1)?.[1] === 'l' ? 'hidden' : 'shown';
