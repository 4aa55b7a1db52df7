import { object, openEnum, ref, serverDefault, set } from '../model/fields.js';
import { Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

/** A workspace user group (wire-facts, section 7; `TRAINING`: interface 2.4). Its members are a request each. */
export const userGroup = defineKind({
  name: 'UserGroup',
  shortNames: ['group'],
  summary: 'A named group of users, and where it can be assigned.',
  collection: 'userGroups',
  builtIn: ['Everyone'],
  schema: object({
    description: Type.Optional(Type.String({ description: 'Free text.', ...serverDefault('') })),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the group can be used.', ...serverDefault(true) })),
    assignability: Type.Optional(
      set(
        openEnum(['POLICIES', 'ACCESS_POLICIES', 'CHANGES', 'QUALITY', 'TRAINING'], { since: { TRAINING: '2025.2' } }),
        {
          description: 'Where the group can be assigned.',
        },
      ),
    ),
    members: Type.Optional(
      set(ref('User'), { description: 'E-mail addresses or full names. If given, all other members are removed.' }),
    ),
  }),
  children: { members: { path: 'users', ref: 'User' } },
});
