import { selectOne, selectPage } from '../store/select.js';
import { accountByEmail, insertUser, type User, userList } from '../store/users.js';
import { isGuid } from './chance.js';
import { hashPassword } from './passwords.js';
import { parseSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

export const USER_SEARCH = {
  email: 'text',
  enabled: 'flag',
  firstName: 'text',
  lastName: 'text',
  fullName: 'text',
  type: 'choice',
} as const;

/** The kinds of users (wire-facts 7). */
const USER_TYPES = ['EMPLOYEE', 'PARTNER', 'BASIC_SUPPLIER', 'ADVANCED_SUPPLIER', 'INTEGRATION'];

interface NewUserBody {
  readonly email: string;
  readonly fullName: string;
  readonly password?: string;
  readonly type?: string;
}

export function listUsers(workspace: Workspace, query: Query): User[] {
  return selectPage(workspace.settings, userList, parseSearch(query, USER_SEARCH));
}

export function findUser(workspace: Workspace, guid: string): User {
  const user = isGuid(guid) && selectOne(workspace.settings, userList, { sql: 'u.guid = ?', values: [guid] });
  if (!user) throw refuse.guid(guid);
  return user;
}

/** Adds a user; without a password one that cannot log in. Not part of the published interface. */
export function createUser(workspace: Workspace, body: NewUserBody): User {
  const { email, fullName, password, type = 'EMPLOYEE' } = body;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw refuse.invalid('email', `"${email}" is not an e-mail address.`);
  if (!USER_TYPES.includes(type)) throw refuse.option(type, 'type');
  if (accountByEmail(workspace.settings, email)) throw refuse.invalid('email', `a user has the address "${email}".`);
  const [firstName = '', ...rest] = fullName.trim().split(/\s+/);
  if (firstName === '') throw refuse.empty('fullName');
  const user = {
    guid: workspace.chance.guid(),
    email,
    firstName,
    lastName: rest.join(' '),
    fullName,
    type,
    enabled: true,
  };
  const hash = password === undefined ? null : hashPassword(password);
  insertUser(workspace.settings, { ...user, administrator: false, password: hash });
  return user;
}
