import { object } from '#core/model/fields.js';
import { Type } from '#core/model/schema.js';

const capSchema = (what: string, of = 'objects of one kind', each = 'objects') =>
  Type.Optional(
    object(
      {
        count: Type.Optional(Type.Integer({ minimum: 0, description: `Number of ${of} that may be ${what}.` })),
        percent: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 100,
            description: `Percentage of the ${of} that may be ${what}; 30 by default.`,
          }),
        ),
        from: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: `The percentage applies if at least this many ${each} exist; 10 by default.`,
          }),
        ),
      },
      { description: `How many ${each} may be ${what} in one plan. More are blocked, unless an option allows them.` },
    ),
  );

/** Limits of a plan; those of an environment take precedence over those of the file. */
export const guardsSchema = Type.Optional(
  object(
    {
      deletes: capSchema('deleted'),
      replacements: capSchema('replaced'),
      missingRows: capSchema('deleted because its file no longer has them', 'records of one import', 'records'),
      importRows: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Maximum rows of one DELETE or REPLACE import; 1000 by default.' }),
      ),
      maxRequests: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Maximum requests of one apply. No limit by default.' }),
      ),
    },
    { description: 'Limits of a plan. An option can allow more.' },
  ),
);

const ruleSchema = object(
  {
    name: Type.String({ minLength: 1, description: "The rule's name in messages." }),
    scope: Type.Optional(
      Type.Union([Type.Literal('step'), Type.Literal('plan')], {
        description: 'Whether the rule is checked for each step (default) or once for the plan.',
      }),
    ),
    when: Type.String({ minLength: 1, description: 'The condition, in CEL, over step, plan, production and now.' }),
    effect: Type.Union([Type.Literal('deny'), Type.Literal('warn')], {
      description: 'Whether steps that meet the condition are blocked (deny) or only reported (warn).',
    }),
    message: Type.String({ minLength: 1, description: 'The message shown if the condition is met.' }),
    environments: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'The environments that the rule applies to; all by default.',
      }),
    ),
  },
  { description: 'A custom condition on plans.' },
);

/** User-defined conditions on plans. `readRules` checks that their names differ. */
export const rulesSchema = Type.Optional(Type.Array(ruleSchema, { description: 'Custom conditions on plans.' }));
