import { object } from '#core/model/fields.js';
import { Type } from '#core/model/schema.js';

const fleetSchema = object(
  {
    environments: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Names of environments and patterns, separated by commas, such as site-*; all by default.',
      }),
    ),
    where: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A condition in CEL over name, labels, variables and production that they must meet.',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: 'How many of them are worked on at once; 8 by default, and one of each user at most.',
      }),
    ),
  },
  { description: 'Environments that get one change together.' },
);

/** The fleets of a configuration, by name. */
export const fleetsSchema = Type.Optional(
  Type.Record(Type.String(), fleetSchema, { description: 'Selections of environments that get one change together.' }),
);
