import { nullable, person } from '../routes/schemas.js';
import { personColumns, readPerson } from '../store/users.js';
import type { Field, Unnamed } from './field.js';
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
    ...joinedPerson('creator', 'JOIN'),
    searched: { [`${name}.guid`]: 't.creator', [`${name}.email`]: 'c.email', [`${name}.fullName`]: 'c.full_name' },
    stamp: { made: 'by' },
    answer: person,
    show: (row) => readPerson(row, 'c'),
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
    ...joinedPerson('modifier', 'LEFT JOIN'),
    stamp: { changed: 'by' },
    answer: nullable(person),
    show: (row) => (row.m_guid === null ? null : readPerson(row, 'm')),
  });
};

function joinedPerson(column: 'creator' | 'modifier', join: string): Pick<Field, 'selects' | 'join'> {
  const alias = column.slice(0, 1);
  return { selects: [personColumns(alias)], join: `${join} users ${alias} ON ${alias}.guid = t.${column}` };
}
