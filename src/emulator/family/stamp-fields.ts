import { nullable, person } from '../routes/schemas.js';
import { text, textOrNull } from '../store/select.js';
import { personByGuid } from '../store/users.js';
import type { Unnamed } from './field.js';
import { nullableText, plainText } from './text-fields.js';

/** When a record was made. */
export const creationTime = (): Unnamed<string> => {
  const field = plainText({ column: 'created' });
  return (name) => ({ ...field(name), stamp: { made: 'at' } });
};

/** Who made a record. */
export const creator = (): Unnamed<string> => {
  const field = plainText({ column: 'creator' });
  return (name) => ({
    ...field(name),
    // For searches: SQLite leaves out what nothing names.
    join: 'LEFT JOIN users c ON c.guid = t.creator',
    searched: { [`${name}.guid`]: 't.creator', [`${name}.email`]: 'c.email', [`${name}.fullName`]: 'c.full_name' },
    stamp: { made: 'by' },
    answer: person,
    show: (row, { workspace }) => personByGuid(workspace.settings, text(row, 'creator')),
  });
};

/** When a record was changed for the last time; null: never. */
export const modificationTime = (): Unnamed<string | null> => {
  const field = nullableText({ column: 'modified' });
  return (name) => ({ ...field(name), stamp: { changed: 'at' } });
};

/** Who changed a record for the last time. */
export const modifier = (): Unnamed<string | null> => {
  const field = nullableText({ column: 'modifier' });
  return (name) => ({
    ...field(name),
    stamp: { changed: 'by' },
    answer: nullable(person),
    show: (row, { workspace }) => {
      const guid = textOrNull(row, 'modifier');
      return guid === null ? null : personByGuid(workspace.settings, guid);
    },
  });
};
