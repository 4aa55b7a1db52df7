import type { Manifest } from '../model/document.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Kind } from '../model/kind.js';
import type { Capability } from '../model/observation.js';
import type { Plan, Step, SummaryKey } from '../model/plan.js';
import type { Bound } from './bind.js';
import { decide } from './decide.js';
import { decideJob } from './decide-job.js';
import type { Decision } from './decision.js';
import { blockDependents } from './dependents.js';
import { existing } from './existing.js';
import type { Edges } from './graph.js';
import type { GuardInput, Guarding } from './guards/guard.js';
import { runGuards } from './guards/run-guards.js';
import { withNeeds } from './need-cycles.js';
import { digest } from './normal-form.js';
import { order } from './order.js';
import { priceOf } from './price.js';

export interface PlanInput {
  readonly stack: string;
  readonly environment: string;
  readonly workspace: Plan['workspace'];
  readonly manifests: readonly Manifest[];
  readonly edges: Edges;
  readonly bound: readonly Bound[];
  readonly jobs: readonly JobFacts[];
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
  readonly requests: { readonly used: number; readonly remaining: number | null };
  /** What the environment and the user allow; without it nothing is guarded. */
  readonly guarding?: Guarding;
  /** Live objects that this stack created or adopted, by kind. */
  readonly owned?: ReadonlyMap<string, number>;
  /** Passed in, so that equal input gives an equal plan. */
  readonly nonce: string;
  readonly createdAt: string;
}

/** The whole difference between manifests and workspace as one value. */
export function makePlan(input: PlanInput): Plan {
  const { bound, jobs, kindNamed, capabilityOf } = input;
  const decisions = [
    ...bound.map((one) => {
      const kind = kindNamed(one.manifest.kind);
      return decide(one, kind, capabilityOf(kind));
    }),
    ...jobs.map(decideJob),
  ];
  const made = decisions.filter((decision): decision is Decision => decision !== undefined);
  const unchanged = decisions.length - made.length;
  const steps = blockDependents(order(made, withNeeds(input.edges, jobs)));
  if (input.guarding === undefined) return planOf(steps, unchanged, input);
  const guarded = runGuards(steps, guardInput(input.guarding, input, steps, unchanged));
  return planOf(guarded.steps, unchanged, input, guarded.findings);
}

type Facts = Omit<PlanInput, 'edges' | 'bound' | 'kindNamed' | 'capabilityOf'>;

const guardInput = (guarding: Guarding, input: PlanInput, steps: readonly Step[], unchanged: number): GuardInput => ({
  ...guarding,
  stack: input.stack,
  environment: input.environment,
  workspace: input.workspace,
  createdAt: input.createdAt,
  used: input.requests.used,
  summary: summarise(steps, unchanged),
  jobs: input.jobs,
  manifests: input.manifests,
  existing: existing(steps, input),
});

/** Ordered steps as a plan: its identity, counts and price. */
export function planOf(steps: readonly Step[], unchanged: number, input: Facts, guards: Plan['guards'] = []): Plan {
  const { stack, environment, workspace, jobs, nonce, createdAt } = input;
  return {
    format: 'dexsync-plan/1',
    stack,
    environment,
    workspace,
    manifests: digest(
      input.manifests.map(({ address, metadata, spec }) => ({ address, metadata: { ...metadata }, spec })),
    ),
    nonce,
    createdAt,
    summary: summarise(steps, unchanged),
    steps,
    guards,
    requests: { used: input.requests.used, apply: priceOf(steps, jobs), remaining: input.requests.remaining },
  };
}

function summarise(steps: readonly Step[], unchanged: number): Plan['summary'] {
  const summary: Record<SummaryKey, number> = {
    create: 0,
    update: 0,
    replace: 0,
    delete: 0,
    rename: 0,
    adopt: 0,
    import: 0,
    manual: 0,
    blocked: 0,
    unchanged,
  };
  for (const { action } of steps) summary[action] += 1;
  return summary;
}
