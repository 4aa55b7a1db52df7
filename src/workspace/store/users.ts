import type { Database } from './database.js';
import type { Row } from './driver.js';
import { flag, type List, text } from './select.js';

/** A user as the interface shows one (wire-facts 7). */
export interface User {
  readonly guid: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly fullName: string;
  readonly type: string;
  readonly enabled: boolean;
}

/** Who did something, as other objects show it. */
export type Person = Pick<User, 'guid' | 'email' | 'fullName'>;

/** What logging in needs to know of a user. */
export interface Account extends Person {
  readonly enabled: boolean;
  readonly administrator: boolean;
  /** Null: the user cannot log in. */
  readonly password: string | null;
}

export const userList: List<User> = {
  select: 'SELECT u.* FROM users u',
  columns: {
    guid: 'u.guid',
    email: 'u.email',
    firstName: 'u.first_name',
    lastName: 'u.last_name',
    fullName: 'u.full_name',
    type: 'u.type',
    enabled: 'u.enabled',
  },
  order: 'u.seq',
  read: readUser,
};

export function readUser(row: Row): User {
  return {
    guid: text(row, 'guid'),
    email: text(row, 'email'),
    firstName: text(row, 'first_name'),
    lastName: text(row, 'last_name'),
    fullName: text(row, 'full_name'),
    type: text(row, 'type'),
    enabled: flag(row, 'enabled'),
  };
}

/** The columns of {@link readPerson} for a user joined as `alias`. */
export function personColumns(alias: string): string {
  return `${alias}.guid AS ${alias}_guid, ${alias}.email AS ${alias}_email, ${alias}.full_name AS ${alias}_full_name`;
}

export function readPerson(row: Row, alias: string): Person {
  return {
    guid: text(row, `${alias}_guid`),
    email: text(row, `${alias}_email`),
    fullName: text(row, `${alias}_full_name`),
  };
}

export function accountByEmail(database: Database, email: string): Account | undefined {
  const row = database.get('SELECT * FROM users WHERE email = ?', email);
  return row && readAccount(row);
}

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

interface NewUser extends User {
  readonly administrator: boolean;
  readonly password: string | null;
}

export function insertUser(database: Database, user: NewUser): void {
  database.run(
    `INSERT INTO users (guid, email, first_name, last_name, full_name, type, enabled, administrator, password)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    user.guid,
    user.email,
    user.firstName,
    user.lastName,
    user.fullName,
    user.type,
    Number(user.enabled),
    Number(user.administrator),
    user.password,
  );
}

export function setPasswords(settings: Database, emails: readonly string[], hash: string): void {
  for (const email of emails) settings.run('UPDATE users SET password = ? WHERE email = ?', hash, email);
}
