import type { Address } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Kind } from '../model/kind.js';
import type { Capability, Observation } from '../model/observation.js';
import type { Note, Plan, Range, Step, SummaryKey, Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import { decideAll } from './decide-all.js';
import { decideJob } from './decide-job.js';
import type { Deciding, Decision } from './decision.js';
import { orderDeletes } from './delete-order.js';
import type { Edges } from './graph.js';
import { guard } from './guard.js';
import type { Facts } from './live.js';
import { withNeeds } from './need-cycles.js';
import { digest } from './normal-form.js';
import { leftOverNote, notOwnedNote, renameNotes } from './notes.js';
import { order } from './order.js';
import { leftOver, type Pruning, prune } from './prune.js';
import { standingOf } from './standing.js';

export interface PlanInput {
  readonly deciding: Deciding;
  readonly environment: string;
  readonly workspace: Plan['workspace'];
  readonly manifests: readonly Manifest[];
  readonly edges: Edges;
  readonly bound: readonly Bound[];
  readonly observation: Observation;
  readonly facts: Facts;
  readonly prune: { readonly is: 'yes' | 'no' } & Pick<Pruning, 'described' | 'mayDelete'>;
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
  const { bound, jobs, facts, deciding, kindNamed } = input;
  const decided = [...decideAll(input), ...jobs.map(decideJob)];
  const changes = decided.filter((decision): decision is Decision => decision !== undefined);
  const { stack } = deciding;
  const removed = input.prune.is === 'yes' ? prune({ ...input, ...input.prune, stack, claimed: claimedBy(bound) }) : [];
  const { decisions, edges } = orderDeletes({ ...input, decisions: [...changes, ...removed] });
  const steps = guard(
    order(
      decisions,
      new Map([
        ...removed.map(({ address }) => [address, new Set<Address>()] as const),
        ...withNeeds(input.edges, jobs),
        ...edges,
      ]),
    ),
  );
  const left = leftOver({ stack, facts, described: input.prune.described });
  const notes = [
    ...(input.prune.is === 'yes' ? [] : leftOverNote(left)),
    ...notOwnedNote(strangers(bound, changes, input)),
    ...renameNotes(changes, left, facts, kindNamed),
  ];
  return planOf(steps, { ...input, stack, unchanged: decided.length - changes.length, notes });
}

const claimedBy = (bound: readonly Bound[]): Pruning['claimed'] =>
  new Set(bound.flatMap(({ live }) => ('object' in live ? [live.object.identity] : [])));

/** Objects that are as their manifests say, that nothing happens to, and that this stack does not own. */
function strangers(
  bound: readonly Bound[],
  changes: readonly Decision[],
  { deciding, kindNamed }: PlanInput,
): Address[] {
  const changed = new Set(changes.map(({ address }) => address));
  return bound.flatMap(({ manifest: { address, kind }, live, fact }) => {
    if (changed.has(address) || !('raw' in live)) return [];
    return standingOf(fact, live.raw, deciding.stack, kindNamed(kind).schema).is === 'own' ? [] : [address];
  });
}

interface Facets
  extends Pick<PlanInput, 'environment' | 'workspace' | 'manifests' | 'jobs' | 'requests' | 'nonce' | 'createdAt'> {
  readonly stack: string;
  readonly unchanged: number;
  readonly notes?: readonly Note[];
}

/** Ordered steps as a plan: its identity, counts and price. */
export function planOf(steps: readonly Step[], input: Facets): Plan {
  const { stack, environment, workspace, jobs, nonce, createdAt, unchanged, notes = [] } = input;
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
    notes,
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
    retire: 0,
    rename: 0,
    adopt: 0,
    forget: 0,
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
