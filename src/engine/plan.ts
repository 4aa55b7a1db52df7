import type { Manifest } from '../model/document.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Kind } from '../model/kind.js';
import type { Capability } from '../model/observation.js';
import type { Plan, Range, Step, SummaryKey, Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import { decide } from './decide.js';
import { decideJob } from './decide-job.js';
import type { Decision } from './decision.js';
import type { Edges } from './graph.js';
import { guard } from './guard.js';
import { withNeeds } from './need-cycles.js';
import { digest } from './normal-form.js';
import { order } from './order.js';

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
  const steps = guard(order(made, withNeeds(input.edges, jobs)));
  return { ...planOf(steps, decisions.length - made.length, input), ...apart(input, steps) };
}

/** What whoever reads the workspace again, without the manifests, must know of kinds that gather objects into one. */
function apart({ bound, kindNamed }: PlanInput, steps: readonly Step[]): Pick<Plan, 'apart'> {
  const settled = new Set(steps.map(({ address }) => address));
  const gathered = bound.filter(({ manifest }) => kindNamed(manifest.kind).gather !== undefined);
  const addresses = gathered.map(({ manifest }) => manifest.address).filter((address) => !settled.has(address));
  return addresses.length === 0 ? {} : { apart: addresses };
}

type Facts = Omit<PlanInput, 'edges' | 'bound' | 'kindNamed' | 'capabilityOf'>;

/** Ordered steps as a plan: its identity, counts and price. */
export function planOf(steps: readonly Step[], unchanged: number, input: Facts): Plan {
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

/** Object writes have a fixed price; that of an import depends on its rows and its commit rule. */
function priceOf(steps: readonly Step[], jobs: readonly JobFacts[]): Range {
  const sending = new Set(steps.filter(({ writes }) => writes.length > 0).map(({ address }) => address));
  const imports = jobs.filter(({ address }) => sending.has(address)).map(({ requests }) => requests);
  const objects = steps.flatMap(({ writes }) => writes).map(price);
  return [...imports, ...objects].reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), FREE);
}

const FREE: Range = { min: 0, max: 0 };

function price(write: Write): Range {
  if (write.verb === 'import' || write.verb === 'record') return FREE;
  const requests = write.verb === 'update' && write.readFirst === 'yes' ? 2 : 1;
  return { min: requests, max: requests };
}
