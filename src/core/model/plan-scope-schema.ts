import type { Address } from './address.js';
import { countSchema, nameSchema, Type } from './schema.js';
import { fieldChangeSchema } from './write-schema.js';

/** The schema of the selection that a plan is limited to. */
export const selectionSchema = Type.Object(
  {
    only: Type.Array(Type.String()),
    exclude: Type.Array(Type.String()),
    closure: Type.Array(Type.Unsafe<Address>({ type: 'string' }), {
      description: 'Included because a selected object refers to it.',
    }),
  },
  { description: 'The selection that the plan is limited to; absent if it covers all manifests.' },
);

/** The schema of the environment that the specs of a plan come from. */
export const promotedSchema = Type.Object(
  {
    environment: nameSchema(),
    workspace: Type.String(),
    as: Type.Union([Type.Literal('live'), Type.Literal('applied')], {
      description: 'As the objects were there when the plan was created, or as they were last applied there.',
    }),
    release: Type.Optional(nameSchema('The release that they come from, such as dev/r41, if one was promoted.')),
    requests: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Requests used there, besides those of the environment of the plan.' }),
    ),
    kept: Type.Optional(
      Type.Array(
        Type.Object({
          address: Type.Unsafe<Address>({ type: 'string' }),
          fields: Type.Array(fieldChangeSchema, {
            description: 'before: what the last promotion asked; after: what the object has.',
          }),
          deleted: Type.Optional(Type.Boolean()),
        }),
        { description: 'What only the target changed since the last promotion: it stays.' },
      ),
    ),
    due: Type.Optional(
      Type.Array(Type.Unsafe<Address>({ type: 'string' }), {
        description: 'Imports that the source committed and this environment did not, and that this plan does not run.',
      }),
    ),
    stays: Type.Optional(
      Type.Array(
        Type.Object({
          address: Type.Unsafe<Address>({ type: 'string' }),
          rows: countSchema(),
          at: Type.String({ description: 'When they were committed, ISO 8601 in UTC.' }),
        }),
        { description: 'Rows that were committed since the release, if a later one was here: they do not go back.' },
      ),
    ),
    taken: Type.Optional(
      Type.Array(
        Type.Object({
          side: Type.Union([Type.Literal('release'), Type.Literal('target')]),
          address: Type.Unsafe<Address>({ type: 'string' }),
          field: Type.Optional(Type.String({ description: 'Absent for the whole object.' })),
        }),
        { description: 'How a person decided conflicts.' },
      ),
    ),
    closure: Type.Array(
      Type.Object({
        address: Type.Unsafe<Address>({ type: 'string' }),
        because: Type.Unsafe<Address>({ type: 'string' }, { description: 'What refers to it.' }),
      }),
      { description: 'Included because another object refers to it.' },
    ),
  },
  { description: 'The environment that the specs come from; absent if they come from the manifests.' },
);
