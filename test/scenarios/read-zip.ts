import { inflateRawSync } from 'node:zlib';

const END = Buffer.from('PK\x05\x06');
const ENTRY = 46;
const LOCAL = 30;

/** The files of a ZIP archive by name, read without the library that dexsync reads them with. */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(END);
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const local = archive.readUInt32LE(at + 42);
    const start = local + LOCAL + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20));
    const content = archive.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed);
    files.set(archive.toString('utf8', at + ENTRY, at + ENTRY + name), content);
    at += ENTRY + name + extra + comment;
  }
  return files;
}
