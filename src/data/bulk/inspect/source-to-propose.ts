import type { ImportSource } from '#core/jobs/source.js';
import type { SourceTable } from '../source/source-table.js';

/** Adds the encoding that was guessed, if nothing states it. */
export const sourceToPropose = (source: ImportSource, { encoding }: SourceTable): ImportSource => ({
  ...source,
  ...(encoding?.startsWith('utf-') === false ? { encoding } : {}),
});
