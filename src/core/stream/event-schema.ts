import { EXIT, type ExitCode } from '#base/errors.js';
import type { Address } from '../model/address.js';
import { kindAndNameSchema } from '../model/address-schema.js';
import { plannedSchema } from '../model/apply-facts.js';
import { diagnosticSchema } from '../model/diagnostic-schema.js';
import { planSchema } from '../model/plan.js';
import { provenanceMembers } from '../model/provenance.js';
import { countSchema, Type } from '../model/schema.js';
import { ACTIONS, type Action } from '../model/step-schema.js';
import type { Event } from './event.js';
import { fleetEventSchema } from './fleet-event-schema.js';
import {
  foundInSourceSchema,
  importEventSchema,
  runNumber as number,
  optionalCount,
  optionalText,
  outcomeSchema,
  reportFilesSchema,
  textEnum,
} from './import-event-schema.js';
import { pageEventSchema } from './page-event-schema.js';
import { watchEventSchema } from './watch-event-schema.js';

const address = kindAndNameSchema;
const exitCode = Type.Unsafe<ExitCode>({ type: 'integer', enum: Object.values(EXIT) });
const leaseSchema = Type.Object({
  state: textEnum('held', 'dead', 'expired'),
  command: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  user: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  environment: Type.String(),
  service: Type.String(),
  login: Type.String(),
  startedAt: Type.String({ description: 'ISO 8601 in UTC, like the next two.' }),
  heartbeatAt: Type.String(),
  expiresAt: Type.String({ description: 'When others may take the lock without a further heartbeat.' }),
});

const transferEventSchema = Type.Union([
  Type.Object({ is: Type.Literal('waiting'), seconds: Type.Number(), most: Type.Number() }),
  Type.Object({ is: textEnum('started', 'latest'), number }),
  Type.Object({ is: textEnum('resumed', 'found'), number }),
  Type.Object({ is: Type.Literal('gone'), number }),
  Type.Object({ is: Type.Literal('polled'), status: Type.String(), seconds: Type.Number(), number }),
  Type.Object({ is: Type.Literal('not ready'), seconds: Type.Number() }),
  Type.Object({
    is: Type.Literal('downloading'),
    archive: Type.String(),
    bytes: countSchema(),
    total: optionalCount(),
  }),
  Type.Object({ is: Type.Literal('unpacking'), archive: Type.String() }),
]);

const transferOutcomeSchema = Type.Object({
  folder: Type.String(),
  number,
  status: Type.String(),
  files: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Below the folder, with `/`.' }),
      size: countSchema('In bytes.'),
      rows: optionalCount('Of CSV, without its header.'),
    }),
  ),
});

const statusSchema = Type.Union([
  Type.Object({ is: Type.Literal('started') }),
  Type.Object({ is: Type.Literal('done') }),
  Type.Object({
    is: textEnum('failed', 'unknown', 'manual'),
    code: Type.String(),
    message: Type.String(),
    hint: optionalText(),
  }),
  Type.Object(
    { is: Type.Literal('skipped'), because: Type.Unsafe<Address>({ type: 'string', minLength: 1 }) },
    { description: 'because: the step that it depends on, or `stopped`.' },
  ),
  Type.Object({
    is: Type.Literal('skipped'),
    because: Type.Literal('stopped'),
    code: optionalText('Of the failure that stopped the apply; absent if it was interrupted.'),
  }),
]);

const summarySchema = Type.Object(
  {
    type: Type.Literal('summary'),
    exitCode,
    done: countSchema(),
    failed: countSchema(),
    unknown: countSchema('Steps with a write that got no answer: it may or may not have been done.'),
    skipped: countSchema(),
    blocked: countSchema(),
    manual: countSchema(),
    unchanged: countSchema(),
    rows: Type.Object({ committed: countSchema(), failed: countSchema() }),
    requests: Type.Object({ used: countSchema(), remaining: Type.Union([Type.Integer(), Type.Null()]) }),
  },
  { description: 'The last line.' },
);

const workEvents = [
  Type.Object({ type: Type.Literal('diagnostic'), diagnostic: diagnosticSchema }),
  Type.Object({ type: Type.Literal('read'), what: Type.String(), count: countSchema() }),
  Type.Object({
    type: Type.Literal('plan'),
    plan: planSchema,
    reset: Type.Union([Type.String({ description: 'When the daily quota is reset.' }), Type.Null()]),
    pages: Type.Optional(
      Type.Array(Type.Object({ address, file: Type.String() }), {
        description: 'Pages that show what the rows of imports change, where they were asked for.',
      }),
    ),
    applier: Type.Optional(
      Type.Object(
        { ...provenanceMembers, planned: plannedSchema },
        { description: 'Who applies it, if the plan was saved or reviewed before, and that plan.' },
      ),
    ),
  }),
  Type.Object({
    type: Type.Literal('waiting'),
    seconds: Type.Number(),
    because: textEnum('service', 'quota', 'password'),
  }),
  Type.Object({
    type: Type.Literal('price'),
    requests: countSchema(),
    of: textEnum('children', 'disagreements'),
  }),
  Type.Object({
    type: Type.Literal('locked'),
    environment: Type.String(),
    by: Type.String({ description: 'Who uses it, as text.' }),
    holder: leaseSchema,
    most: Type.Union([Type.Number({ description: 'Seconds.' }), Type.Null()]),
    silent: Type.Optional(Type.Boolean()),
  }),
] as const;

const importEvents = [
  Type.Object({
    type: Type.Literal('settled'),
    address,
    state: textEnum('committed', 'validated'),
    at: Type.String(),
    rows: countSchema(),
    failed: countSchema(),
    runs: optionalText(),
  }),
  Type.Object({ type: Type.Literal('sent'), address, runs: optionalText() }),
  Type.Object({
    type: Type.Literal('reviewed'),
    plan: Type.String({ description: 'A file, or ledger:NAME.' }),
    is: textEnum('applied before', 'applied first'),
    at: optionalText('When it was applied, ISO 8601 in UTC; absent if it is applied now.'),
    by: optionalText('Who applied it.'),
  }),
  Type.Object({ type: Type.Literal('import'), address, event: importEventSchema }),
  Type.Object({
    type: Type.Literal('findings'),
    address,
    findings: foundInSourceSchema,
  }),
  Type.Object({
    type: Type.Literal('rows'),
    address,
    file: Type.String(),
    outcome: outcomeSchema,
    files: Type.Optional(reportFilesSchema),
    retry: Type.Optional(Type.Literal('whole file')),
  }),
] as const;

/**
 * The schema of a `--json` line of commands that work in steps. A test keeps it equal to `Event`; only tests load it.
 */
export const eventSchema = Type.Tagged('type', [
  ...workEvents,
  ...importEvents,
  Type.Object({
    type: Type.Literal('step'),
    address,
    action: Type.Unsafe<Action>({ type: 'string', enum: ACTIONS }),
    status: statusSchema,
  }),
  Type.Object({ type: Type.Literal('transfer'), address, event: transferEventSchema }),
  Type.Object({ type: Type.Literal('transferred'), address, outcome: transferOutcomeSchema }),
  Type.Object({ type: Type.Literal('watch'), event: watchEventSchema }),
  Type.Object({ type: Type.Literal('fleet'), event: fleetEventSchema }),
  Type.Object({ type: Type.Literal('page'), event: pageEventSchema }),
  Type.Object({
    type: Type.Literal('target'),
    environment: Type.String(),
    event: Type.Unsafe<Event>({ type: 'object', description: 'An event of that environment, of any type above.' }),
  }),
  Type.Object(
    {
      type: Type.Literal('error'),
      code: Type.String(),
      message: Type.String(),
      hint: optionalText(),
      exitCode,
    },
    { description: 'What ended the command, before the summary.' },
  ),
  summarySchema,
]);
