import { createReadStream } from 'node:fs';
import { DexsyncError } from '#base/errors.js';
import type { ImportSource } from '#core/jobs/source.js';
import { openRawTable } from '../source/open-source.js';

/** Reads quotes as other programs write them, or leniently, if the file cannot be read with the strict rules. */
export async function readableSource(path: string, source: ImportSource): Promise<ImportSource> {
  if (source.quotes !== undefined || (await isReadable(path, source))) return source;
  const quotes = (await hasBackslashes(path)) ? ('backslash' as const) : ('lenient' as const);
  return (await isReadable(path, { ...source, quotes })) ? { ...source, quotes } : source;
}

/** Whether a text has a backslash before a quote. */
async function hasBackslashes(path: string): Promise<boolean> {
  let last = '';
  for await (const part of createReadStream(path, 'latin1')) {
    if (`${last}${part}`.includes('\\"')) return true;
    last = String(part).slice(-1);
  }
  return false;
}

/** Workbooks do not depend on quotes. */
async function isReadable(path: string, source: ImportSource): Promise<boolean> {
  const raw = await openRawTable(path, source);
  try {
    if (raw.form === 'text') for await (const _ of raw.batches);
    return true;
  } catch (error) {
    if (error instanceof DexsyncError && error.code === 'FILE_UNREADABLE') return false;
    throw error;
  } finally {
    await raw.batches.return(undefined);
  }
}
