import { kindAndNameSchema } from '../model/address-schema.js';
import { countSchema, Type } from '../model/schema.js';
import { optionalText, textEnum } from './import-event-schema.js';

const address = kindAndNameSchema;

const driftedSchema = Type.Object(
  {
    address,
    what: textEnum('changed', 'renamed', 'deleted', 'replaced', 'absent'),
    fields: Type.Array(Type.String()),
    unnamed: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Those of `fields` that the manifest does not name: no apply reverts them.',
      }),
    ),
    changedAt: optionalText(),
    changedBy: optionalText(),
  },
  { description: 'An object that was changed outside dexsync.' },
);

const heldSchema = Type.Object(
  {
    address,
    because: textEnum('policy', 'deletes', 'replaces', 'adopts', 'overwrites', 'removes-rows', 'unapproved'),
  },
  { description: 'A step that the policy leaves to a person.' },
);

/** The schema of the events of a watch; its lines have `time` and `level` too. */
export const watchEventSchema = Type.Tagged('is', [
  Type.Object({
    is: Type.Literal('started'),
    environment: Type.String(),
    policy: textEnum('none', 'safe', 'all'),
    follows: Type.String({ description: 'A folder or a git ref.' }),
    interval: Type.Optional(Type.Number({ description: 'Seconds, if not derived from the quota.' })),
    url: optionalText('Where metrics and health are served.'),
  }),
  Type.Object({
    is: Type.Literal('round'),
    round: countSchema(),
    because: textEnum('start', 'interval', 'change', 'retry'),
    commit: optionalText('What is checked out of the ref.'),
  }),
  Type.Object({
    is: Type.Literal('round-ended'),
    round: countSchema(),
    result: textEnum('unchanged', 'applied', 'held', 'blocked', 'partial', 'failed'),
    seconds: Type.Number(),
    pending: countSchema('Steps of the plan.'),
    drifted: Type.Array(driftedSchema),
    held: Type.Array(heldSchema),
    requests: Type.Object({ used: countSchema(), remaining: Type.Union([Type.Integer(), Type.Null()]) }),
    error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String(), hint: optionalText() })),
    next: optionalText('When the next round begins, unless a change comes before it.'),
  }),
  Type.Object({ is: Type.Literal('stopped'), rounds: countSchema() }),
]);
