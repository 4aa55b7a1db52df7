import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { unreadableFile } from './unreadable-file.js';
import { cutWorkbook } from './workbook-errors.js';

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
const END_OF_ZIP = Buffer.from('PK\u0005\u0006', 'latin1');
const GZIP = Buffer.from('1f8b', 'hex');
const EDGE = 128 * 1024;

/** Form of a file, by its bytes. */
export interface Sniffed {
  readonly form: 'text' | 'xlsx' | 'ods' | 'xls';
  /** In bytes. */
  readonly size: number;
  /** The first bytes. */
  readonly head: Buffer;
}

interface Ends {
  readonly size: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/**
 * Detects the form of a file by its bytes, not by its name. Refuses each form that dexsync cannot read, with advice,
 * and a missing, an empty and a cut-off file. Looks at both ends of the file only.
 */
export async function sniff(path: string, file: string): Promise<Sniffed> {
  const { size, head, tail } = await endsOf(path, file);
  if (size === 0) throw unreadableFile(`${file} is empty.`, 'Export it again; a table needs at least a header row.');
  if (head.subarray(0, 8).equals(OLE)) return checkOldWorkbook(file, { size, head, tail });
  if (head.subarray(0, 4).equals(ZIP)) return checkWorkbook(file, { size, head, tail });
  if (head.subarray(0, 2).equals(GZIP)) throw gzipFile(file);
  // Checks the path, since rows of a workbook come back from the service as CSV under the workbook's name.
  if (/\.(xlsx|xlsm|xlsb|xls|ods|fods)$/i.test(path)) throw noWorkbook(file, head);
  return { form: 'text', size, head };
}

async function endsOf(path: string, file: string): Promise<Ends> {
  try {
    const irregular = irregularName(await stat(path));
    if (irregular !== undefined) throw notAFile(file, irregular);
    const handle = await open(path);
    try {
      return await readEnds(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof DexsyncError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw unreadableFile(
        `${file} does not exist.`,
        'Check the path; paths in a manifest are relative to the manifest, others to the working folder.',
        error,
      );
    }
    throw unreadableFile(`${file} cannot be read: ${reasonOf(error)}.`, 'Check the permissions of the file.', error);
  }
}

async function readEnds(handle: FileHandle): Promise<Ends> {
  const { size } = await handle.stat();
  const read = async (position: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(Math.min(EDGE, size)), position });
    return buffer.subarray(0, bytesRead);
  };
  return { size, head: await read(0), tail: await read(Math.max(0, size - EDGE)) };
}

/** Names anything but a regular file: opening a pipe waits, and a source is read more than once. */
function irregularName(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return 'folder';
  if (found.isFIFO()) return 'named pipe';
  return found.isSocket() ? 'socket' : 'device';
}

const notAFile = (file: string, what: string): DexsyncError =>
  unreadableFile(
    `${file} is a ${what}.`,
    what === 'folder'
      ? 'Use the file in it that contains the rows.'
      : 'A source is read more than once: write its rows to a file first, and use that file.',
  );

/** Recognised by names in the archive's directory, which is at its end. */
const FOREIGN: readonly (readonly [part: string, what: string])[] = [
  ['xl/workbook.bin', 'a binary workbook (.xlsb)'],
  ['Index/Document.iwa', 'a Numbers document'],
  ['word/document.xml', 'a Word document'],
  ['ppt/presentation.xml', 'a PowerPoint document'],
];

function checkWorkbook(file: string, { size, head, tail }: Ends): Sniffed {
  if (!tail.includes(END_OF_ZIP)) {
    throw cutWorkbook(file);
  }
  const document = checkOpenDocument(file, { size, head, tail });
  if (document !== undefined) return document;
  const foreign = FOREIGN.find(([part]) => tail.includes(part));
  if (foreign !== undefined) {
    throw unreadableFile(`${file} is ${foreign[1]}, which dexsync does not read.`, 'Save it as .xlsx or .csv.');
  }
  if (tail.length === size && !tail.includes('xl/')) {
    throw unreadableFile(`${file} is a ZIP archive, but not a workbook.`, 'Unpack it, and use the table in it.');
  }
  return { form: 'xlsx', size, head };
}

const OPEN_DOCUMENT = 'mimetypeapplication/vnd.oasis.opendocument.';

/** The first part of an OpenDocument file is its type, which other archives do not have. */
function checkOpenDocument(file: string, { size, head, tail }: Ends): Sniffed | undefined {
  const start = head.subarray(30, 100).toString('latin1');
  const isDocument =
    start.startsWith(OPEN_DOCUMENT) || (tail.includes('content.xml') && tail.includes('META-INF/manifest.xml'));
  if (!isDocument || tail.includes('xl/workbook.xml')) return undefined;
  if (start.startsWith(OPEN_DOCUMENT) && !start.startsWith('spreadsheet', OPEN_DOCUMENT.length)) {
    throw unreadableFile(
      `${file} is an OpenDocument file, but not a spreadsheet.`,
      'Save its table as .ods, .xlsx or .csv.',
    );
  }
  return { form: 'ods', size, head };
}

const gzipFile = (file: string): DexsyncError =>
  unreadableFile(`${file} is compressed with gzip.`, 'Unpack it first (`gunzip`).');

/** An encrypted .xlsx is in the container of the old format. */
function checkOldWorkbook(file: string, { size, head, tail }: Ends): Sniffed {
  if (head.includes(ENCRYPTED) || tail.includes(ENCRYPTED)) {
    throw unreadableFile(`${file} is protected with a password.`, 'Save a copy without a password.');
  }
  return { form: 'xls', size, head };
}

/** Many systems give their reports as web pages under the name of a workbook. */
function noWorkbook(file: string, head: Buffer): DexsyncError {
  const start = head.subarray(0, 2048).toString('latin1');
  const what = /<html|<table|<!doctype html/i.test(start) ? 'a web page' : /<\?xml/.test(start) ? 'XML' : undefined;
  return unreadableFile(
    `${file} has a workbook extension but is ${what ?? 'not a workbook'}.`,
    what === undefined
      ? 'Save it again as .xlsx, or rename it to .csv if it is text.'
      : 'Open it in a spreadsheet program and save it as .xlsx.',
  );
}
