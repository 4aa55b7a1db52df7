import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { flag, text } from './select.js';

/** Who did something, as other objects show it. */
export interface Person {
  readonly guid: string;
  readonly email: string;
  readonly fullName: string;
}

/** What logging in needs to know of a user. */
export interface Account extends Person {
  readonly enabled: boolean;
  readonly administrator: boolean;
  /** Null: the user cannot log in. */
  readonly password: string | null;
}

/** The columns of {@link readPerson} for a user joined as `alias`. */
export function personColumns(alias: string): string {
  return `${alias}.guid AS ${alias}_guid, ${alias}.email AS ${alias}_email, ${alias}.full_name AS ${alias}_full_name`;
}

/** Reads a user from a row that was selected with {@link personColumns} for the same alias. */
export function readPerson(row: Row, alias: string): Person {
  return {
    guid: text(row, `${alias}_guid`),
    email: text(row, `${alias}_email`),
    fullName: text(row, `${alias}_full_name`),
  };
}

const people = new WeakMap<Database, Map<string, Person>>();

/** Who a GUID in a row means. Read once: no user is renamed or removed. */
export function personByGuid(database: Database, guid: string): Person {
  const known = people.get(database) ?? new Map<string, Person>();
  people.set(database, known);
  const person =
    known.get(guid) ??
    readPerson(database.get(`SELECT ${personColumns('u')} FROM users u WHERE guid = ?`, guid) ?? {}, 'u');
  known.set(guid, person);
  return person;
}

/** The user with an address, without regard to case; one who is disabled is found too. */
export function accountByEmail(database: Database, email: string): Account | undefined {
  const row = database.get('SELECT * FROM users WHERE email = ?', email);
  return row && readAccount(row);
}

/** The user with a GUID; one who is disabled is found too. */
export function accountByGuid(database: Database, guid: string): Account | undefined {
  const row = database.get('SELECT * FROM users WHERE guid = ?', guid);
  return row && readAccount(row);
}

function readAccount(row: Row): Account {
  return {
    guid: text(row, 'guid'),
    email: text(row, 'email'),
    fullName: text(row, 'full_name'),
    enabled: flag(row, 'enabled'),
    administrator: flag(row, 'administrator'),
    password: row.password === null ? null : text(row, 'password'),
  };
}

/** Gives several users one password by its hash; an address that nobody has is passed over. */
export function setPasswords(settings: Database, emails: readonly string[], hash: string): void {
  for (const email of emails) settings.run('UPDATE users SET password = ? WHERE email = ?', hash, email);
}
