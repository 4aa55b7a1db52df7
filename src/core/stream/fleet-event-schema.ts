import { EXIT, type ExitCode } from '#base/errors.js';
import { countSchema, Type } from '../model/schema.js';
import { optionalText, textEnum } from './import-event-schema.js';

const wave = Type.Integer({ minimum: 1, description: 'Counts from 1.' });
const environment = Type.String();

const reason = {
  code: optionalText(),
  message: optionalText(),
  hint: optionalText(),
  until: optionalText('When a deferred one is worth another try, ISO 8601 in UTC.'),
};

const statusMembers = {
  stack: Type.String(),
  fleet: Type.String(),
  name: Type.String(),
  release: optionalText(),
  plannedAt: Type.String(),
  plannedBy: Type.String(),
  workers: Type.Boolean({ description: 'Whether workers work on it.' }),
  groups: Type.Array(
    Type.Object({
      group: Type.String({ description: 'The digest of the changes.' }),
      environments: Type.Array(Type.String()),
      approvedBy: Type.Array(Type.String()),
      rejectedBy: Type.Array(Type.String()),
    }),
  ),
  targets: Type.Array(
    Type.Object({
      environment,
      wave,
      is: textEnum('waiting', 'begun', 'done', 'failed', 'unknown', 'deferred', 'gone'),
      at: optionalText(),
      ...reason,
    }),
  ),
  left: Type.Array(Type.Object({ environment, message: Type.String() }), {
    description: 'Environments that could not be planned.',
  }),
  next: Type.Object({
    is: textEnum('new', 'work', 'check', 'wait', 'ask', 'over-budget', 'paused', 'stopped', 'ended'),
    wave: Type.Optional(wave),
    because: Type.Optional(textEnum('soak', 'deferred', 'approval', 'refused', 'failed')),
    until: optionalText(),
    failed: Type.Optional(countSchema()),
    budget: Type.Optional(countSchema()),
    by: optionalText(),
    message: optionalText(),
  }),
  exitCode: Type.Unsafe<ExitCode>({ type: 'integer', enum: Object.values(EXIT) }),
};

/** The schema of `FleetEvent`. */
export const fleetEventSchema = Type.Union([
  Type.Object({ is: Type.Literal('wave'), wave, environments: countSchema() }),
  Type.Object({ is: Type.Literal('begun'), environment }),
  Type.Object({ is: textEnum('done', 'failed', 'unknown', 'deferred', 'gone'), environment, ...reason }),
  Type.Object({ is: Type.Literal('checked'), wave, passed: Type.Boolean(), message: optionalText() }),
  Type.Object({ is: Type.Literal('waiting'), wave, because: textEnum('soak', 'deferred'), until: Type.String() }),
  Type.Object(
    { is: Type.Literal('worker'), name: Type.String(), stack: Type.String() },
    { description: 'The first event of a worker.' },
  ),
  Type.Object(
    { is: Type.Literal('drift'), environment, objects: countSchema() },
    { description: 'How many objects drifted, as a worker found on a schedule.' },
  ),
  Type.Object({ is: Type.Literal('status'), ...statusMembers }, { description: 'The last event of a rollout.' }),
]);
