import { object } from '../model/fields.js';
import { Type } from '../model/schema.js';

const capSchema = (what: string) =>
  Type.Optional(
    object(
      {
        count: Type.Optional(Type.Integer({ minimum: 0, description: `Objects of one kind that may be ${what}.` })),
        percent: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 100,
            description: `Share of the objects of one kind that may be ${what}; 30 by default.`,
          }),
        ),
        from: Type.Optional(
          Type.Integer({ minimum: 0, description: 'The share counts once so many objects exist; 10 by default.' }),
        ),
      },
      { description: `How much may be ${what} in one plan. More is blocked, unless an option allows it.` },
    ),
  );

/** Limits of a plan; those of an environment go before those of the file. */
export const guardsSchema = Type.Optional(
  object(
    {
      deletes: capSchema('deleted'),
      replacements: capSchema('replaced'),
      importRows: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Rows of one DELETE or REPLACE import; 1000 by default.' }),
      ),
      maxRequests: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Requests that an apply may take. No limit by default.' }),
      ),
    },
    { description: 'What a plan may do without an option that allows more.' },
  ),
);

const ruleSchema = object(
  {
    name: Type.String({ minLength: 1, description: 'How messages call the rule.' }),
    scope: Type.Optional(
      Type.Union([Type.Literal('step'), Type.Literal('plan')], {
        description: 'Asked of each step (default), or once of the plan.',
      }),
    ),
    when: Type.String({ minLength: 1, description: 'The condition, in CEL, over step, plan, production and now.' }),
    effect: Type.Union([Type.Literal('deny'), Type.Literal('warn')], {
      description: 'Whether what meets the condition is blocked, or only shown.',
    }),
    message: Type.String({ minLength: 1, description: 'What people read where the condition is met.' }),
    environments: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, description: 'The environments that it holds for; all by default.' }),
    ),
  },
  { description: 'A condition of your own over plans.' },
);

/** Conditions of the user over plans. That their names differ is checked by `readRules`. */
export const rulesSchema = Type.Optional(Type.Array(ruleSchema, { description: 'Conditions of your own over plans.' }));
