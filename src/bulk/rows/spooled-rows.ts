import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';

/** Reads normalised rows back, in order; `n` counts data rows from 1. */
export async function* spooledRows(
  path: string,
): AsyncGenerator<{ readonly n: number; readonly cells: readonly string[] }> {
  const input = createReadStream(path);
  const parser = parse({ from_line: 1, relax_column_count: true });
  pipeline(input, parser, () => {});
  let n = -1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      n += 1;
      if (n > 0) yield { n, cells };
    }
  } finally {
    input.destroy();
  }
}
