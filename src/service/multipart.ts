import { randomUUID } from 'node:crypto';
import type { RequestBody } from './send.js';

/** Builds a form of fields and files as one stream of known length; no file is ever held in memory. */
export function multipart(
  values: readonly (readonly [name: string, value: string])[],
  files: readonly FilePart[],
): RequestBody {
  const boundary = `dexsync-${randomUUID()}`;
  const fields = Buffer.from(values.map(([name, value]) => fieldText(boundary, name, value)).join(''));
  const parts = files.map((part) => ({ ...part, head: Buffer.from(partHead(boundary, part)) }));
  const end = Buffer.from(`--${boundary}--\r\n`);
  const sizes = parts.map(({ head, size }) => head.length + size + LINE_END.length);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: fields.length + sizes.reduce((sum, size) => sum + size, 0) + end.length,
    open: bytes,
  };
  async function* bytes(): AsyncGenerator<Buffer> {
    yield fields;
    for (const { head, open } of parts) {
      yield head;
      yield* open();
      yield LINE_END;
    }
    yield end;
  }
}

/** A part of a form with a stream of known size. */
export interface FilePart {
  readonly name: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly size: number;
  readonly open: () => AsyncIterable<Buffer>;
}

const LINE_END = Buffer.from('\r\n');

const fieldText = (boundary: string, name: string, value: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const partHead = (boundary: string, { name, fileName, contentType }: FilePart): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${escapeFileName(fileName)}"\r\n` +
  `Content-Type: ${contentType}\r\n\r\n`;

/** Escapes file names in a form as browsers do. */
const escapeFileName = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
