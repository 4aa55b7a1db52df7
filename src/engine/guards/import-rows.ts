import { destructiveImports } from './destructive-imports.js';
import { type Guard, overridable } from './guard.js';

const DOES = { DELETE: 'delete records', REPLACE: 'replace what is there' } as const;

/** At most so many rows of one import delete or replace records. */
export const importRows: Guard = (steps, input) => {
  const most = input.settings.importRows;
  return destructiveImports(steps, input.jobs)
    .filter(({ rows }) => rows > most)
    .map(({ address, mode, rows }) => {
      const fact = `${rows} rows of ${address} would ${DOES[mode]} (mode ${mode}, the limit is ${most})`;
      return overridable('import-rows', input, fact, [address]);
    });
};
