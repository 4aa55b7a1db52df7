import type { EmitImportEvent } from '#core/stream/import-event.js';
import type { RunUpload } from '#service/import-runs.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { type ByteRange, fileChunks } from '../../bulk/rows/file-chunks.js';
import type { SpoolPart } from '../../bulk/rows/spool.js';

/** The upload of one part: its header and rows as a file of their own, or the original file. */
export function createUpload(prepared: PreparedImport, { start, end }: SpoolPart, emit: EmitImportEvent): RunUpload {
  const { path, fileName, headerBytes, original } = prepared;
  if (original !== undefined) {
    const { path: copy, ...described } = original;
    return { ...described, open: () => countBytes(copy, [{ start: 0, end: original.size }], original.size, emit) };
  }
  const size = headerBytes + end - start;
  const ranges =
    start === headerBytes
      ? [{ start: 0, end }]
      : [
          { start: 0, end: headerBytes },
          { start, end },
        ];
  return { fileName, fileType: 'CSV', size, open: () => countBytes(path, ranges, size, emit) };
}

async function* countBytes(
  path: string,
  ranges: readonly ByteRange[],
  total: number,
  emit: EmitImportEvent,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of fileChunks(path, ranges)) {
    yield chunk;
    bytes += chunk.length;
    emit({ type: 'uploading', bytes, total });
  }
}
