import type { Database } from './database.js';
import { number } from './select.js';

/** The oldest format that can be read; there is no migration from older ones. */
export const OLDEST_FORMAT = 3;

/** Gives tables of members the same two columns everywhere, as in the tables that descriptions define. */
const MEMBER_COLUMNS = `
ALTER TABLE user_group_members RENAME COLUMN group_guid TO owner;
ALTER TABLE user_group_members RENAME COLUMN user_guid TO member;
ALTER TABLE policy_groups RENAME COLUMN policy TO owner;
ALTER TABLE policy_groups RENAME COLUMN group_guid TO member;
ALTER TABLE integration_triggers RENAME COLUMN integration TO owner;
ALTER TABLE integration_administrators RENAME COLUMN integration TO owner;
ALTER TABLE reserved_numbers RENAME COLUMN reservation TO owner;
ALTER TABLE reserved_numbers RENAME COLUMN number TO value;
DROP INDEX policy_groups_by_group;
DROP INDEX reserved_numbers_of_reservation;
`;

/** The steps from each format to the next, the oldest first. A published step is never changed. */
const STEPS: readonly string[] = [MEMBER_COLUMNS, 'ALTER TABLE import_runs ADD COLUMN change TEXT;'];

/** The format of the files that this version creates and reads. */
export const FORMAT = OLDEST_FORMAT + STEPS.length;

/** Returns the format that a file declares; 0 if no workspace was created in it. */
export function readFormatNumber(database: Database): number {
  return number(database.get('PRAGMA user_version') ?? {}, 'user_version');
}

/** Migrates a file to the format of this version; each step has its own transaction, which records it. */
export function migrate(settings: Database): void {
  for (let format = readFormatNumber(settings); format < FORMAT; format += 1) {
    settings.transaction(() => settings.exec(`${STEPS[format - OLDEST_FORMAT]} PRAGMA user_version = ${format + 1}`));
  }
}
