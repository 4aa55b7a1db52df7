import { object } from '#core/model/fields.js';
import { Type } from '#core/model/schema.js';

const gateSchema = object(
  {
    name: Type.String({ minLength: 1, description: "The gate's name, which `--override` takes." }),
    when: Type.String({
      minLength: 1,
      description: 'The condition that opens it, in CEL, over release, before (the stage before), production and now.',
    }),
    message: Type.Optional(
      Type.String({ minLength: 1, description: 'What is missing while it is closed; the condition by default.' }),
    ),
  },
  { description: 'A condition that a release must meet before it is promoted.' },
);

const stageSchema = object(
  {
    environment: Type.Optional(Type.String({ minLength: 1, description: 'An environment of this file.' })),
    fleet: Type.Optional(
      Type.String({ minLength: 1, description: 'Instead of an environment, at the end: a fleet of this file.' }),
    ),
    gates: Type.Optional(Type.Array(gateSchema, { description: 'What a release must meet to be promoted to it.' })),
    approvals: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 99,
        description: 'How many people other than its author must approve a plan of a promotion to it.',
      }),
    ),
  },
  { description: 'An environment or a fleet, with the gates before it.' },
);

/** The environments that releases are promoted along. `readChain` checks their names. */
export const chainSchema = Type.Optional(
  Type.Array(Type.Union([Type.String({ minLength: 1 }), stageSchema]), {
    minItems: 2,
    description:
      'The environments that releases are promoted along, such as [dev, test, prod]; the first one is their source, and the last one may be a fleet.',
  }),
);
