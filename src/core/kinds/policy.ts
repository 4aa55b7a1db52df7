import { omitUndefined } from '#base/omit-undefined.js';
import { keyedList, object, openEnum, ref, serverDefault, set } from '../model/fields.js';
import { type JsonObject, onlyObjectsIn } from '../model/json.js';
import { deadReference } from '../model/kind.js';
import { type Static, Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

const TOKEN = '^[A-Z][A-Z0-9_]*$';

const token = (description: string) => Type.String({ pattern: TOKEN, description });

const schema = object({
  description: Type.Optional(Type.String({ description: 'Free text.', ...serverDefault('') })),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the policy is in effect.', ...serverDefault(true) })),
  userGroups: Type.Optional(set(ref('UserGroup'), { description: 'User groups that get the rights.' })),
  rules: Type.Optional(
    keyedList(
      ['resource'],
      object({
        resource: token('A resource, in upper case.'),
        actions: set(openEnum(['READ', 'CREATE', 'EDIT', 'DELETE']), {
          description: 'Permitted actions on the resource.',
          minItems: 1,
        }),
      }),
      { description: 'The rights, one entry for each resource.' },
    ),
  ),
});

type PolicySpec = Static<typeof schema>;

/** An access policy (interface, section 1; its path and shape are assumed in wire-facts, section 0). */
export const policy = defineKind({
  name: 'Policy',
  summary: 'What the members of user groups may do.',
  collection: 'policies',
  schema,
  toWire({ userGroups, ...spec }: PolicySpec, context) {
    const wire = userGroups?.map((name) => ({ guid: context.guidOf('UserGroup', name) }));
    return { ...spec, ...omitUndefined({ userGroups: wire }) };
  },
  fromWire(body: JsonObject, context) {
    const { description, enabled, rules } = body as unknown as PolicySpec;
    const userGroups = onlyObjectsIn(body.userGroups).map(
      ({ guid }) => context.nameOf('UserGroup', String(guid)) ?? deadReference('UserGroup'),
    );
    return {
      ...(description === undefined || description === null ? {} : { description }),
      ...omitUndefined({ enabled }),
      ...(body.userGroups === undefined ? {} : { userGroups }),
      ...omitUndefined({ rules }),
    };
  },
});
