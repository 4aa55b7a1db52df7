import { isAbsolute, relative, resolve } from 'node:path';
import { COMMAND_LINE } from '#base/diagnostics.js';
import { leadsOut } from '#core/manifest/load.js';

/** The name of the input of `-f -` in messages. */
export const STANDARD_INPUT = '<stdin>';

/** The names that are used in place of a file. */
const NO_FILES: readonly string[] = [STANDARD_INPUT, COMMAND_LINE.file];

/**
 * Formats a file of the project for findings: relative to the working folder, so that it can be opened from there.
 * Plans and the ledger keep it relative to the project, so that they mean the same on every machine.
 */
export const shownFile =
  (cwd: string, folder: string) =>
  (file: string): string => {
    if (NO_FILES.includes(file) || (isAbsolute(file) && leadsOut(cwd, file))) return file;
    return relative(cwd, resolve(folder, file));
  };
