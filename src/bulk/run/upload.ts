import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { RunUpload } from '../../service/import-runs.js';
import type { PreparedImport } from '../prepare.js';
import type { Part } from '../rows/normalise.js';
import type { Emit } from './import-event.js';

const CHUNK = 256 * 1024;

/** The header and the rows of one part, as a file of its own. */
export function uploadOf({ path, fileName, headerBytes }: PreparedImport, { start, end }: Part, emit: Emit): RunUpload {
  const size = headerBytes + end - start;
  const ranges =
    start === headerBytes
      ? [{ start: 0, end }]
      : [
          { start: 0, end: headerBytes },
          { start, end },
        ];
  return {
    fileName,
    fileType: 'CSV',
    size,
    open: () => Readable.from(counted(path, ranges, size, emit), { objectMode: false }),
  };
}

async function* counted(
  path: string,
  ranges: readonly { readonly start: number; readonly end: number }[],
  total: number,
  emit: Emit,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for (const { start, end } of ranges) {
    for await (const chunk of createReadStream(path, { start, end: end - 1, highWaterMark: CHUNK })) {
      yield chunk as Buffer;
      bytes += (chunk as Buffer).length;
      emit({ type: 'uploading', bytes, total });
    }
  }
}
