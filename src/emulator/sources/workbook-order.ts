import { type FileHandle, open } from 'node:fs/promises';

const END_SIGNATURE = Buffer.from('PK\x05\x06');
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY_LENGTH = 46;

const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const NEEDED_FIRST = new Set(['xl/workbook.xml', 'xl/styles.xml', 'xl/sharedStrings.xml']);

/**
 * Whether worksheets can be read as a stream, because they follow the names, styles and texts that they refer to in the
 * archive. Excel writes them in this order, LibreOffice does not.
 */
export async function isStreamable(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const names = await namesInOrder(file);
    const firstSheet = names.findIndex((name) => WORKSHEET.test(name));
    return names.slice(firstSheet + 1).every((name) => !NEEDED_FIRST.has(name));
  } finally {
    await file.close();
  }
}

/** Lists the names in the directory at the end of a ZIP archive, in the order of their content; none without one. */
async function namesInOrder(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat();
  const tail = await read(file, Math.max(0, size - END_LENGTH - LONGEST_COMMENT), size);
  const end = tail.lastIndexOf(END_SIGNATURE);
  if (end < 0 || end + END_LENGTH > tail.length) return [];
  const start = tail.readUInt32LE(end + 16);
  const directory = await read(file, start, Math.min(size, start + tail.readUInt32LE(end + 12)));
  return entriesOf(directory)
    .sort((a, b) => a.offset - b.offset)
    .map((entry) => entry.name);
}

function entriesOf(directory: Buffer): { name: string; offset: number }[] {
  const entries = [];
  for (let at = 0; at + ENTRY_LENGTH <= directory.length; ) {
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const nameEnd = at + ENTRY_LENGTH + (name ?? 0);
    entries.push({
      name: directory.toString('utf8', at + ENTRY_LENGTH, nameEnd),
      offset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

async function read(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, to - from)), 0, Math.max(0, to - from), from);
  return buffer.subarray(0, bytesRead);
}
