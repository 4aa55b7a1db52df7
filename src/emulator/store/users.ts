import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { flag, text } from './select.js';

/** A user who did something, as other objects show it. */
export interface Person {
  readonly guid: string;
  readonly email: string;
  readonly fullName: string;
}

/** The data of a user that logging in needs. */
export interface Account extends Person {
  readonly enabled: boolean;
  readonly administrator: boolean;
  /** The hash of the password; null if the user cannot log in. */
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

/** Finds the user with a GUID, and caches it, since no user is renamed or removed. */
export function personByGuid(database: Database, guid: string): Person {
  const known = people.get(database) ?? new Map<string, Person>();
  people.set(database, known);
  const person =
    known.get(guid) ??
    readPerson(database.get(`SELECT ${personColumns('u')} FROM users u WHERE guid = ?`, guid) ?? {}, 'u');
  known.set(guid, person);
  return person;
}

/** Finds the user with an address, ignoring letter case, even a disabled one. */
export function accountByEmail(database: Database, email: string): Account | undefined {
  const row = database.get('SELECT * FROM users WHERE email = ?', email);
  return row && readAccount(row);
}

/** Finds the user with a GUID, even a disabled one. */
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

/** Sets one password for several users by its hash; skips an address that nobody has. */
export function setPasswords(settings: Database, emails: readonly string[], hash: string): void {
  for (const email of emails) settings.run('UPDATE users SET password = ? WHERE email = ?', hash, email);
}
