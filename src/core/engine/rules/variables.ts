import { type Address, splitAddress } from '../../model/address.js';
import type { Step } from '../../model/plan.js';
import type { GuardInput } from '../guards/guard.js';
import { pricePlan } from '../price.js';

/** Fields of a step that a rule can use, with the types that its condition is checked against. */
export const STEP = {
  address: 'string',
  kind: 'string',
  name: 'string',
  action: 'string',
  reason: 'string',
  message: 'string',
  fields: 'list<map<string, dyn>>',
  writes: 'int',
  mode: 'string',
  rows: 'int',
  labels: 'map<string, string>',
  annotations: 'map<string, string>',
  spec: 'map<string, dyn>',
} as const;

/** Fields of the plan that a rule can use. A rule over the plan can use its steps, too. */
export const PLAN = {
  stack: 'string',
  environment: 'string',
  workspace: { name: 'string', id: 'string' },
  summary: 'map<string, int>',
  requests: { used: 'int', apply: { min: 'int', max: 'int' } },
} as const;

/** Fields that a rule over the plan can use. */
export const PLAN_WITH_STEPS = { ...PLAN, steps: 'list<map<string, dyn>>' } as const;

/** Fields of a release that the condition of a gate can use. */
export const RELEASE = {
  name: 'string',
  source: 'string',
  number: 'int',
  note: 'string',
  createdAt: 'google.protobuf.Timestamp',
} as const;

/** What the condition of a gate can use of an environment, as it was seen last; absent if nobody looked since the last apply. */
const SEEN = { drifted: 'int', seenAt: 'google.protobuf.Timestamp' } as const;

/** Fields of the stage that a release goes to. */
export const TARGET = { environment: 'string', ...SEEN } as const;

/** Fields of the stage before that the condition of a gate can use. `passed`: the checks that passed since it was applied there. */
export const BEFORE = {
  environment: 'string',
  ...SEEN,
  appliedAt: 'google.protobuf.Timestamp',
  hotfixes: 'int',
  passed: 'list<string>',
} as const;

/** Fields of a wave of a rollout that a check can use: how many of its environments ended how. */
export const WAVE = {
  number: 'int',
  total: 'int',
  done: 'int',
  failed: 'int',
  unknown: 'int',
  deferred: 'int',
} as const;

/** Returns steps as rules see them. Absent values are empty: `mode` and `rows` without an import, labels of deletes. */
export function stepVariables(
  steps: readonly Step[],
  { manifests, jobs }: Pick<GuardInput, 'manifests' | 'jobs'>,
): Map<Address, Record<keyof typeof STEP, unknown>> {
  const described = new Map(manifests.map((manifest) => [manifest.address, manifest]));
  const imports = new Map(jobs.map((job) => [job.address, job]));
  return new Map(
    steps.map(({ address, action, reason, message, fields, writes }) => {
      const { metadata, spec = {} } = described.get(address) ?? {};
      const { mode = '', rows = 0 } = imports.get(address) ?? {};
      const { labels = {}, annotations = {} } = metadata ?? {};
      const own = { address, ...splitAddress(address), action, reason, message, fields, writes: whole(writes.length) };
      return [address, { ...own, mode, rows: whole(rows), labels, annotations, spec }];
    }),
  );
}

/** Returns the plan as rules see it, before any part of it was denied. */
export function planVariables(
  steps: readonly Step[],
  { stack, environment, workspace, production, createdAt, used, jobs, summary, atEnd }: GuardInput,
) {
  const { min, max } = pricePlan(steps, jobs, atEnd);
  const requests = { used: whole(used), apply: { min: whole(min), max: whole(max) } };
  const plan = { stack, environment, workspace, summary: wholes(summary), requests };
  return { production, now: new Date(createdAt), plan };
}

/** Converts to a whole number of CEL; a JavaScript number would be a floating-point one. */
const whole = (value: number): bigint => BigInt(value);

const wholes = (counts: Readonly<Record<string, number>>): Record<string, bigint> =>
  Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, whole(count)]));
