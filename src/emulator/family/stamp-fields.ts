import { nullable, person } from '../routes/schemas.js';
import { text, textOrNull } from '../store/select.js';
import { personByGuid } from '../store/users.js';
import type { FieldFactory } from './field.js';
import { nullableText, plainText } from './text-fields.js';

/** The time when a record was created. */
export const creationTime = (): FieldFactory<string> => {
  const field = plainText({ column: 'created' });
  return (name) => ({ ...field(name), stamp: { made: 'at' } });
};

/** The user who created a record. */
export const creator = (): FieldFactory<string> => {
  const field = plainText({ column: 'creator' });
  return (name) => ({
    ...field(name),
    // For searches: SQLite omits the join if nothing refers to it.
    join: 'LEFT JOIN users c ON c.guid = t.creator',
    searched: { [`${name}.guid`]: 't.creator', [`${name}.email`]: 'c.email', [`${name}.fullName`]: 'c.full_name' },
    stamp: { made: 'by' },
    answer: person,
    show: (row, { workspace }) => personByGuid(workspace.settings, text(row, 'creator')),
  });
};

/** The time of the last change of a record; null if it never changed. */
export const modificationTime = (): FieldFactory<string | null> => {
  const field = nullableText({ column: 'modified' });
  return (name) => ({ ...field(name), stamp: { changed: 'at' } });
};

/** The user who last changed a record. */
export const modifier = (): FieldFactory<string | null> => {
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
