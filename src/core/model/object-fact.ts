import type { JsonObject } from './json.js';
import { type Shape, Type } from './schema.js';

const promotionBaseSchema = Type.Object(
  {
    source: Type.String({ minLength: 1, description: 'The environment that the release comes from.' }),
    release: Type.String({ minLength: 1, description: 'Such as dev/r41.' }),
    lineage: Type.String({ minLength: 1, description: 'The object of the release.' }),
    spec: Type.Unsafe<JsonObject>({ type: 'object' }, { description: 'Its fields, with variables and overlay.' }),
  },
  { description: 'What the last release that was promoted asked of the object.' },
);

/** What the last release that was promoted asked of an object. */
export type PromotionBase = Shape<typeof promotionBaseSchema>;

/** Equal for the same live object and for no other. It is not a GUID and does not lead to one. */
export type LiveIdentity = string;

const known = {
  stack: Type.String({
    minLength: 1,
    description: 'The stack that created or adopted the object; no other stack changes it.',
  }),
  how: Type.Union([Type.Literal('created'), Type.Literal('adopted')]),
  applied: Type.Unsafe<JsonObject>(
    { type: 'object' },
    {
      description: "The manifest's fields as last applied, with the names that it used for references.",
    },
  ),
  observed: Type.Optional(
    Type.Unsafe<JsonObject>(
      { type: 'object' },
      {
        description:
          'Fields that `applied` does not name, as they were when they were last written, adopted, pulled or first seen; null: empty. Of the entries of a list, the first one without a key is what holds for all of them.',
      },
    ),
  ),
  promoted: Type.Optional(promotionBaseSchema),
  protect: Type.Boolean({
    description:
      'Stays in effect when the manifest is removed: a plan that would delete or replace the object is blocked.',
  }),
  identity: Type.Optional(
    Type.String({
      minLength: 1,
      description: "The live object's identity; absent while a creation is unanswered.",
    }),
  ),
};

/** The schema of `ObjectFact`, as ledgers and plans carry it. */
export const objectFactSchema = Type.Object(
  {
    ...known,
    former: Type.Optional(
      Type.Object(known, {
        description:
          'Until the write was answered: the object that is replaced by this one, or what was recorded of this one before an update.',
      }),
    ),
    refused: Type.Optional(
      Type.Unsafe<JsonObject>(
        { type: 'object' },
        { description: 'What the service refused to create in its place; it still has to get its name back.' },
      ),
    ),
  },
  { description: 'What the ledger records about one object: its owner, and what was last applied to it.' },
);

/** The ledger's record of one object: its owner, and what was last applied to it. */
export type ObjectFact = Shape<typeof objectFactSchema>;

/** The known facts about an object, without the unsettled ones. */
export const withoutFormer = ({ former: _, refused: __, ...fact }: ObjectFact): NonNullable<ObjectFact['former']> =>
  fact;

/** Whether an update of the object was unanswered: the service may or may not have applied it. */
export const isUnanswered = ({ identity, former }: ObjectFact): boolean =>
  identity !== undefined && former?.identity === identity;

/** The identity of a fact's live object, or of the one that an unanswered creation was to replace; else empty. */
export const lastIdentity = ({ identity, former }: ObjectFact): LiveIdentity => identity ?? former?.identity ?? '';
