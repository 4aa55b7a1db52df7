import { createReadStream } from 'node:fs';

/**
 * Reads the values of a file with one JSON text per line. Only line feeds end a line: `readline` in newer versions of
 * Node also splits at U+2028, which JSON allows unescaped in texts.
 */
export async function* readJsonLines<T>(path: string): AsyncGenerator<T> {
  const input = createReadStream(path, 'utf8');
  let rest = '';
  try {
    for await (const chunk of input as AsyncIterable<string>) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line) as T;
    }
    if (rest !== '') yield JSON.parse(rest) as T;
  } finally {
    input.destroy();
  }
}
