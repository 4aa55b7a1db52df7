import { type Address, splitAddress } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Kind } from '../model/kind.js';
import type { Capability, Observation } from '../model/observation.js';
import { type Note, type Plan, type Step, type SummaryKey, takenOverUnasked } from '../model/plan.js';
import type { Bound } from './bind.js';
import { decideAll } from './decide-all.js';
import { decideJobs } from './decide-job.js';
import type { Deciding, Decision } from './decision.js';
import { orderDeletes } from './delete-order.js';
import { blockDependents } from './dependents.js';
import { existing } from './existing.js';
import { type Facts, objectsOf } from './find-live.js';
import { learnedFirst } from './forget.js';
import { type Edges, joined } from './graph.js';
import type { Guarding } from './guards/guard.js';
import { type Guarded, runGuards } from './guards/run-guards.js';
import { withNeeds } from './need-cycles.js';
import { digest } from './normal-form.js';
import { consentNote, leftOverNote, notOwnedNote, renameNotes } from './notes.js';
import { order } from './order.js';
import { priceOf } from './price.js';
import { leftOver, type Pruning, prune, unclaimed } from './prune.js';
import { standingOf } from './standing.js';
import { stepEdges } from './step-edges.js';

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
  /** What the environment and the user allow; without it nothing is guarded. */
  readonly guarding?: Guarding;
  readonly selection?: Plan['selection'];
  /** Passed in, so that equal input gives an equal plan. */
  readonly nonce: string;
  readonly createdAt: string;
}

/** The whole difference between manifests and workspace as one value. */
export function makePlan(input: PlanInput): Plan {
  const { bound, jobs, facts, deciding, kindNamed } = input;
  const decided = [...decideAll(input), ...decideJobs(jobs)];
  const changes = decided.filter((decision): decision is Decision => decision !== undefined);
  const { stack } = deciding;
  const pruning = { ...input, ...input.prune, stack, claimed: claimedBy(bound) };
  const removed = input.prune.is === 'yes' ? prune(pruning) : [];
  const { decisions, edges } = orderDeletes({ ...input, decisions: [...changes, ...removed] });
  const needs = joined(withNeeds(input.edges, jobs), edges, learnedFirst(bound));
  const ordered = blockDependents(order(decisions, stepEdges(decisions, needs, kindNamed)));
  const left = unclaimed(leftOver(pruning), pruning);
  const prunable = left.filter((address) => input.prune.mayDelete(address) === 'yes');
  const unchanged = decided.length - changes.length;
  const { steps, findings: guards } = guarded(ordered, unchanged, input);
  const notes = [
    ...consentNote(takenOverUnasked(steps)),
    ...(input.prune.is === 'yes' ? [] : leftOverNote(prunable)),
    ...notOwnedNote(strangers(bound, changes, input)),
    ...renameNotes(changes, left, facts, kindNamed),
  ];
  return { ...planOf(steps, { ...input, stack, unchanged, notes, guards }), ...apart(input, steps) };
}

/** What whoever reads the workspace again, without the manifests, must know of kinds that gather objects into one. */
function apart(
  { observation, prune: { described }, kindNamed }: PlanInput,
  steps: readonly Step[],
): Pick<Plan, 'apart'> {
  const gathering = [...observation.objects.keys()].filter((kind) => kindNamed(kind).gather !== undefined);
  const settled = new Set(steps.map(({ address }) => address));
  const addresses = [...described].filter(
    (address) => gathering.includes(splitAddress(address).kind) && !settled.has(address),
  );
  return addresses.length === 0 ? {} : { apart: addresses.sort() };
}

const claimedBy = (bound: readonly Bound[]): Pruning['claimed'] =>
  new Set(bound.flatMap(({ live }) => objectsOf(live).map(({ identity }) => identity)));

/** Objects that are as their manifests say, that nothing happens to, and that this stack does not own. */
function strangers(
  bound: readonly Bound[],
  changes: readonly Decision[],
  { deciding, kindNamed }: PlanInput,
): Address[] {
  const changed = new Set(changes.map(({ address }) => address));
  return bound.flatMap(({ manifest: { address, kind }, live, fact }) => {
    if (changed.has(address) || !('raw' in live)) return [];
    return standingOf(fact, live.raw, deciding.stack, kindNamed(kind)).is === 'own' ? [] : [address];
  });
}

interface Facets
  extends Pick<
    PlanInput,
    'environment' | 'workspace' | 'manifests' | 'jobs' | 'requests' | 'selection' | 'nonce' | 'createdAt'
  > {
  readonly stack: string;
  readonly unchanged: number;
  readonly notes?: readonly Note[];
  readonly guards?: Plan['guards'];
}

/** What guards and rules leave of the steps. They see the plan as it would be without them. */
function guarded(steps: readonly Step[], unchanged: number, input: PlanInput): Guarded {
  const { guarding, deciding, environment, workspace, createdAt, jobs, manifests } = input;
  if (guarding === undefined) return { steps, findings: [] };
  const { stack } = deciding;
  const facts = { stack, environment, workspace, createdAt, jobs, manifests, used: input.requests.used };
  return runGuards(steps, {
    ...guarding,
    ...facts,
    summary: summarise(steps, unchanged),
    existing: existing(steps, { ...input, stack }),
  });
}

/** Ordered steps as a plan: its identity, counts and price. */
export function planOf(steps: readonly Step[], input: Facets): Plan {
  const {
    stack,
    environment,
    workspace,
    jobs,
    nonce,
    createdAt,
    selection,
    unchanged,
    notes = [],
    guards = [],
  } = input;
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
    ...(selection === undefined ? {} : { selection }),
    summary: summarise(steps, unchanged),
    notes,
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
