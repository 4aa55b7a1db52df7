import type { Database } from './database.js';
import { number } from './select.js';

/** The oldest format that can be read; nothing leads from those before it. */
export const OLDEST_FORMAT = 3;

/** Members of families have the same two columns everywhere, as the tables that are made from descriptions. */
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

/** What leads from each format to the next, the oldest first. A step that was published is never changed. */
const STEPS: readonly string[] = [MEMBER_COLUMNS];

/** The format of the files that this version makes and reads. */
export const FORMAT = OLDEST_FORMAT + STEPS.length;

/** The format that a file says it has; 0 for one that no workspace was made in. */
export function formatOf(database: Database): number {
  return number(database.get('PRAGMA user_version') ?? {}, 'user_version');
}

/** Brings a file to the format of this version, each step in a transaction of its own that records it. */
export function migrate(settings: Database): void {
  for (let format = formatOf(settings); format < FORMAT; format += 1) {
    settings.transaction(() => settings.exec(`${STEPS[format - OLDEST_FORMAT]} PRAGMA user_version = ${format + 1}`));
  }
}
