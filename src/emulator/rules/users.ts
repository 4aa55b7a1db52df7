import { USER_TYPES, type User, users } from '../families/users.js';
import { insertRecord } from '../family/records.js';
import { accountByEmail } from '../store/users.js';
import { hashPassword } from './passwords.js';
import { refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

interface NewUserBody {
  readonly email: string;
  readonly fullName: string;
  readonly password?: string;
  readonly type?: string;
}

/** Adds a user, who cannot log in without a password. Not part of the published interface. */
export function createUser(workspace: Workspace, body: NewUserBody): User {
  const { email, fullName, password, type = 'EMPLOYEE' } = body;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw refuse.invalid('email', `"${email}" is not an e-mail address.`);
  const known = USER_TYPES.find((word) => word === type);
  if (known === undefined) throw refuse.option(type, 'type');
  if (accountByEmail(workspace.settings, email)) throw refuse.invalid('email', `a user has the address "${email}".`);
  const [firstName = '', ...rest] = fullName.trim().split(/\s+/);
  if (firstName === '') throw refuse.empty('fullName');
  const user = {
    guid: workspace.chance.guid(),
    email,
    firstName,
    lastName: rest.join(' '),
    fullName,
    type: known,
    enabled: true,
    administrator: false,
    password: password === undefined ? null : hashPassword(password),
  };
  insertRecord(workspace.settings, users, user);
  return user;
}
