const END = Buffer.from('PK\x05\x06');
const ENTRY = 46;

/** The same ZIP archive with its parts in the opposite order, as other programs than Excel may write them. */
export function reorderArchive(archive: Buffer): Buffer {
  const end = archive.lastIndexOf(END);
  const start = archive.readUInt32LE(end + 16);
  const directory = Buffer.from(archive.subarray(start, end));
  const entries = entriesOf(directory);
  const offsets = entries.map(({ offset }) => offset).sort((a, b) => a - b);
  const parts: Buffer[] = [];
  let position = 0;
  for (const { at, offset } of entries.sort((a, b) => b.offset - a.offset)) {
    const part = archive.subarray(offset, offsets[offsets.indexOf(offset) + 1] ?? start);
    directory.writeUInt32LE(position, at + 42);
    parts.push(part);
    position += part.length;
  }
  return Buffer.concat([...parts, directory, archive.subarray(end)]);
}

function entriesOf(directory: Buffer): { at: number; offset: number }[] {
  const entries = [];
  for (let at = 0; at < directory.length; ) {
    entries.push({ at, offset: directory.readUInt32LE(at + 42) });
    at += ENTRY + [28, 30, 32].reduce((sum, field) => sum + directory.readUInt16LE(at + field), 0);
  }
  return entries;
}
