import { object } from '#core/model/fields.js';
import { type Shape, Type } from '#core/model/schema.js';

const share = (description: string, minimum: 0 | 1) =>
  Type.Union(
    [
      Type.Integer({ minimum, description: `a whole number from ${minimum}` }),
      Type.String({
        pattern: minimum === 0 ? '^(100|[1-9]?\\d)%$' : '^(100|[1-9]\\d?)%$',
        description: `a percentage from ${minimum}% to 100%`,
      }),
    ],
    { description },
  );

/** Names and patterns with commas. */
const names = (description: string) =>
  Type.String({
    pattern: '\\S',
    description: `Names of environments and patterns, separated by commas, such as site-*. ${description}`,
  });

const DURATION = '^\\d{1,5}[smhd]$';

const fleetSchema = object(
  {
    environments: Type.Optional(names('All by default.')),
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
        description:
          'How many of them are worked on at once; 8 by default, 64 with workers, and one of each user at most.',
      }),
    ),
    workers: Type.Optional(
      Type.Boolean({
        description:
          'Whether processes of `dexsync fleet worker` do the work of rollouts, on any number of machines; needs a ledger in PostgreSQL.',
      }),
    ),
    drift: Type.Optional(
      object(
        {
          schedule: Type.String({ minLength: 1, description: 'In the format of cron, such as 0 6 * * 1-5.' }),
          timeZone: Type.Optional(
            Type.String({
              minLength: 1,
              description: 'The name of a time zone, such as Europe/Vienna; UTC by default.',
            }),
          ),
          within: Type.Optional(
            Type.String({
              pattern: DURATION,
              description:
                'A number with s, m, h or d. The time over which its environments are spread; 1h by default.',
            }),
          ),
        },
        { description: 'When processes of `dexsync fleet worker` look for drift in its environments.' },
      ),
    ),
    canary: Type.Optional(names('They get a change first; without `canary` and `waves` the first one does.')),
    waves: Type.Optional(
      Type.Array(share('How many environments, as a number or a percentage of all.', 1), {
        minItems: 1,
        description: 'The sizes of the waves after the canary; the last wave has all others.',
      }),
    ),
    soak: Type.Optional(
      Type.String({
        pattern: DURATION,
        description:
          'A number with s, m, h or d, such as 30m or 1d. The time between the end of a wave and the next one; none by default.',
      }),
    ),
    budget: Type.Optional(
      share('How many environments may fail, or end unknown, before no other one is begun; 0 by default.', 0),
    ),
    check: Type.Optional(
      object(
        {
          condition: Type.Optional(
            Type.String({
              minLength: 1,
              description: 'A condition in CEL over wave.number, total, done, failed, unknown and deferred.',
            }),
          ),
          command: Type.Optional(
            Type.String({
              minLength: 1,
              description: 'A command that ends with 0; it finds DEXSYNC_FLEET, DEXSYNC_ROLLOUT and DEXSYNC_WAVE.',
            }),
          ),
          approval: Type.Optional(Type.Boolean({ description: 'Whether a person approves each wave.' })),
        },
        { description: 'What must hold after a wave, and after its soak, before the next one begins.' },
      ),
    ),
  },
  { description: 'Environments that get one change together.' },
);

/** A fleet of a configuration. */
export type FleetSettings = Shape<typeof fleetSchema>;

/** The fleets of a configuration, by name. */
export const fleetsSchema = Type.Optional(
  Type.Record(Type.String(), fleetSchema, { description: 'Selections of environments that get one change together.' }),
);
