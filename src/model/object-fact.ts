import type { JsonObject } from './json.js';
import { type Shape, Type } from './schema.js';

/** Equal for the same live object and for no other. Says nothing else: it is no GUID and leads to none. */
export type LiveIdentity = string;

/** The schema of `ObjectFact`, as ledgers and plans carry it. */
export const objectFactSchema = Type.Object(
  {
    stack: Type.String({ minLength: 1, description: 'The stack that created or adopted it; no other one changes it.' }),
    how: Type.Union([Type.Literal('created'), Type.Literal('adopted')]),
    applied: Type.Unsafe<JsonObject>(
      { type: 'object' },
      {
        description:
          'The fields that the manifest named when they were last applied, with the names that it used for references.',
      },
    ),
    protect: Type.Boolean({
      description: 'Outlives the block in the manifest: a plan that would delete or replace the object is blocked.',
    }),
    identity: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Which live object it is; absent from before a creation until its answer came.',
      }),
    ),
  },
  { description: 'What the ledger says of one object of a workspace: whose it is, and what was last asked of it.' },
);

/** What the ledger says of one object of a workspace: whose it is, and what was last asked of it. */
export type ObjectFact = Shape<typeof objectFactSchema>;
