import { derived } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import { choice, flag } from '../family/plain-fields.js';
import { name, nullableText, plainText } from '../family/text-fields.js';
import { documentedOnly, hidden, unique } from '../family/traits.js';
import { Type } from '../routes/type.js';
import { refuse } from '../rules/service-error.js';

/** The kinds of users (wire-facts 7). */
export const USER_TYPES = ['EMPLOYEE', 'PARTNER', 'BASIC_SUPPLIER', 'ADVANCED_SUPPLIER', 'INTEGRATION'] as const;

/** Wire-facts 7. The password is a hash; without one a user cannot log in. */
export const users = family({
  path: '/settings/users',
  one: 'a user',
  many: 'users',
  table: 'users',
  capability: 'users',
  paged: true,
  fields: {
    email: unique(name(), (email) => refuse.invalid('email', `a user has the address "${email}".`)),
    firstName: plainText(),
    lastName: plainText(),
    fullName: plainText(),
    type: choice(USER_TYPES, 'EMPLOYEE'),
    enabled: flag(true),
    /** The name of the address in the list of owners of quality processes (wire-facts 8.8). */
    emailAddress: documentedOnly(derived<{ readonly email: string }>(Type.String(), ({ email }) => email)),
    administrator: hidden(flag(false)),
    password: hidden(nullableText()),
  },
  search: {
    email: 'text',
    enabled: 'flag',
    firstName: 'text',
    lastName: 'text',
    fullName: 'text',
    type: 'choice',
  },
});

/** A stored user, with the fields that no answer shows: the hash of the password, and the administrator flag. */
export type User = ReturnType<typeof users.read>;
