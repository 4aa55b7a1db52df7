import { createReadStream } from 'node:fs';

/**
 * The values of a file with a JSON text in each line. Only line feeds end a line: `readline` of newer versions of Node ends one at
 * U+2028 too, which JSON leaves as it is in a text.
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
