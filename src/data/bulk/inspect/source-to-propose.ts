import type { ImportSource } from '#core/jobs/source.js';
import { ALIGNED } from '../source/aligned-records.js';
import type { SourceTable } from '../source/source-table.js';

/** Adds what was guessed about the text, if nothing states it. */
export const sourceToPropose = (source: ImportSource, { encoding, delimiter }: SourceTable): ImportSource => ({
  ...source,
  ...(delimiter === ALIGNED ? { delimiter } : {}),
  ...(encoding?.startsWith('utf-') === false ? { encoding } : {}),
});
