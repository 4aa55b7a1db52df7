import { DexsyncError, reasonOf } from '#base/errors.js';
import type { ImportSource } from '#core/jobs/source.js';
import { unreadableFile } from './unreadable-file.js';

const TEXT_OPTIONS = ['delimiter', 'encoding', 'quotes'] as const;

/** Refuses options that apply only to text files. */
export function refuseTextOptions(source: ImportSource): void {
  const option = TEXT_OPTIONS.find((name) => source[name] !== undefined);
  if (option === undefined) return;
  throw unreadableFile(
    `${source.file} is a workbook, and \`${option}\` applies only to text files.`,
    'Remove the option, or use a text file.',
  );
}

/** Reads a part of a workbook; anything that fails there means that the workbook is broken. */
export async function refuseBroken<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof DexsyncError ? error : brokenWorkbook(file, error);
  }
}

/** The error for a workbook that does not follow its format. */
export const brokenWorkbook = (file: string, error: unknown): DexsyncError =>
  unreadableFile(
    `${file} is a broken workbook: ${reasonOf(error).replace(/\.$/, '')}.`,
    'Open it in a spreadsheet program and save it again as .xlsx.',
    error,
  );

/** The error for a workbook that lacks what it should have at its end. */
export const cutWorkbook = (file: string): DexsyncError =>
  unreadableFile(
    `${file} is a broken workbook: its end is missing.`,
    'It was probably cut off while it was copied; copy it again.',
  );
