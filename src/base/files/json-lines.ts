import { createReadStream } from 'node:fs';

/** Reads the values of a file with one JSON text per line. */
export async function* readJsonLines<T>(path: string): AsyncGenerator<T> {
  for await (const line of readLines(path)) yield JSON.parse(line) as T;
}

/**
 * Reads the lines of a text file that are not empty. Only line feeds end a line: `readline` in newer versions of Node
 * also splits at U+2028, which JSON allows unescaped in texts.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const input = createReadStream(path, 'utf8');
  let rest = '';
  try {
    for await (const chunk of input as AsyncIterable<string>) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield line;
    }
    if (rest !== '') yield rest;
  } finally {
    input.destroy();
  }
}
