import { isAbsolute, relative, resolve } from 'node:path';
import { COMMAND_LINE } from '#base/diagnostics.js';
import { leadsOut } from '#core/manifest/load.js';

/** How messages call what came in through `-f -`. */
export const STANDARD_INPUT = '<stdin>';

/** What stands in place of a file where there is none. */
const NO_FILES: readonly string[] = [STANDARD_INPUT, COMMAND_LINE.file];

/**
 * A file of the project as findings show it: from where the user stands, so that it can be opened from there. Plans and
 * the ledger keep it relative to the project, so that they mean the same on every machine.
 */
export const shownFile =
  (cwd: string, folder: string) =>
  (file: string): string => {
    if (NO_FILES.includes(file) || (isAbsolute(file) && leadsOut(cwd, file))) return file;
    return relative(cwd, resolve(folder, file));
  };
