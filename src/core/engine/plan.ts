import { naturalOrder } from '#base/natural-order.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Acknowledgement } from '../model/acknowledgement.js';
import { type Address, splitAddress } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Kind } from '../model/kind.js';
import type { LiveIdentity } from '../model/object-fact.js';
import type { Capability, Observation } from '../model/observation.js';
import type { Note, Plan, Step } from '../model/plan.js';
import { acknowledgedNotes, acknowledgedSteps } from './acknowledged-steps.js';
import type { Bound } from './bind.js';
import { decideJobs } from './decide-job.js';
import { decideObjects } from './decide-object.js';
import { ABSENT, type Deciding, type Decision } from './decision.js';
import { orderDeletes } from './delete-order.js';
import type { Facts } from './find-live.js';
import { currentNames } from './follow-renames.js';
import { type Edges, joinEdges } from './graph.js';
import { countObjects } from './guards/caps.js';
import type { GuardOptions } from './guards/guard.js';
import { type Guarded, runGuards } from './guards/run-guards.js';
import { holdDefinitions } from './hold-definitions.js';
import { listCandidates } from './live-under.js';
import { digestOfManifests } from './normal-form.js';
import { type NotesInput, planNotes } from './notes.js';
import { blockDependents, learnFirst, orderSteps, stepEdges, withNeeds } from './order.js';
import { type PriceAtEnd, priceOfLists, pricePlan } from './price.js';
import { type PromotionFacts, promotionFacts } from './promotion.js';
import { leftoverObjects, type PruneInput, prune } from './prune.js';

/** Inputs of a plan: what is asked, what exists, and what is allowed. */
export interface PlanInput extends Pick<NotesInput, 'partial' | 'undone'> {
  readonly deciding: Deciding;
  readonly environment: string;
  readonly workspace: Plan['workspace'];
  readonly manifests: readonly Manifest[];
  readonly edges: Edges;
  readonly bound: readonly Bound[];
  readonly observation: Observation;
  readonly facts: Facts;
  /** Objects whose GUID the ledger has recorded. */
  readonly located?: { has(identity: LiveIdentity): boolean };
  /** Manual steps that someone did, according to the ledger; none by default. */
  readonly acknowledged?: ReadonlyMap<Address, Acknowledgement>;
  /** `all`: everything that the stack owns is removed, described or not. */
  readonly prune: { readonly is: 'yes' | 'no' | 'all' } & Pick<PruneInput, 'described' | 'mayDelete'>;
  readonly jobs: readonly JobFacts[];
  /** Decisions about imports that could not be prepared. */
  readonly blockedImports?: readonly Decision[];
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
  readonly requests: { readonly used: number; readonly remaining: number | null };
  /** Returns how many requests it takes to list a kind with a number of objects. */
  readonly requestsOfList?: (kind: Kind, objects: number) => number;
  /** What the environment and the user allow; without it, no guard runs. */
  readonly guarding?: GuardOptions;
  readonly selection?: Plan['selection'];
  readonly promoted?: Plan['promoted'];
  /** Passed in, so that equal input gives an equal plan. */
  readonly nonce: string;
  readonly createdAt: string;
}

/**
 * Returns the whole difference between manifests and workspace as one value: what happens to each object and import,
 * what is removed, in which order, and what guards allow of it.
 */
export function makePlan(input: PlanInput): Plan {
  const { bound, jobs, blockedImports = [], deciding, prune: pruneInput } = input;
  const { stack } = deciding;
  const objects = decideObjects(input);
  const decided = [...objects, ...decideJobs(jobs), ...blockedImports];
  const { records, kept } = promotionFacts(bound, objects, { stack, kindNamed: input.kindNamed });
  const different = decided.filter((decision): decision is Decision => decision !== undefined);
  const acknowledged = acknowledgedSteps(different, bound, { acknowledged: new Map(), ...input });
  const changes = different.filter(({ address }) => !acknowledged.has(address));
  const why = pruneInput.is === 'all' ? 'destroyed' : 'not-described';
  const pruning: PruneInput = { ...input, ...pruneInput, stack, why, claimed: objectsMeant(bound) };
  const leftover = leftoverObjects(pruning);
  const removals = pruneInput.is === 'no' ? [] : prune(pruning, leftover);
  const still = { unchanged: decided.length - different.length, acknowledged: acknowledged.size };
  // What a checked manifest asks for and the workspace lacks blocks its dependents even if it was acknowledged.
  const lacking = different.filter(({ address, fingerprint }) => acknowledged.has(address) && fingerprint === ABSENT);
  const ordered = stepsOf([...changes, ...lacking.filter(isVerifiable), ...removals], input);
  const unsettled = ordered
    .filter(({ address }) => !acknowledged.has(address))
    .map((step) => ({ ...step, dependsOn: step.dependsOn.filter((address) => !acknowledged.has(address)) }));
  const { steps, findings: guards } = guardSteps(unsettled, still, input);
  const left = [...leftover.keys()];
  const prunable = pruneInput.is === 'no' ? left.filter(pruneInput.mayDelete) : [];
  const notes = [
    ...planNotes({ ...input, steps, changes, left, prunable, stack, why }),
    ...acknowledgedNotes(acknowledged),
  ];
  return {
    ...assemblePlan(steps, {
      ...input,
      ...withKept(input, kept),
      stack,
      still,
      notes,
      guards,
      atEnd: priceOfLists(input),
    }),
    ...omitUndefined({ records }),
    ...apartAddresses(input, steps),
  };
}

const withKept = ({ promoted }: PlanInput, kept: Partial<PromotionFacts>['kept']): Pick<PlanInput, 'promoted'> =>
  promoted === undefined || kept === undefined ? {} : { promoted: { ...promoted, kept } };

const isVerifiable = ({ reason }: Decision): boolean => reason !== 'not-verifiable';

/** Collects the live objects that manifests mean, under any name, and those that their new objects replace. */
function objectsMeant(bound: readonly Bound[]): PruneInput['claimed'] {
  const meant = new Set<LiveIdentity>();
  for (const { live, elsewhere } of bound) {
    for (const { identity } of listCandidates(live)) meant.add(identity);
    if (elsewhere?.formerly !== undefined) meant.add(elsewhere.object.identity);
  }
  return meant;
}

/** Orders decisions, and blocks those that would break what stays. */
function stepsOf(decided: readonly Decision[], input: PlanInput): Step[] {
  const { bound, jobs, kindNamed } = input;
  const { decisions, edges } = orderDeletes({ ...input, decisions: decided });
  const needs = joinEdges(withNeeds(input.edges, jobs), edges, learnFirst(bound));
  return holdDefinitions(blockDependents(orderSteps(decisions, stepEdges(decisions, needs, kindNamed))), jobs);
}

/** Applies guards and rules to the steps. They see the plan as it would be without them. */
function guardSteps(steps: readonly Step[], still: Still, input: PlanInput): Guarded {
  const { guarding, deciding, environment, workspace, createdAt, jobs, manifests } = input;
  if (guarding === undefined) return { steps, findings: [] };
  const { stack } = deciding;
  const { facts, kindNamed, capabilityOf } = input;
  const plan = { stack, environment, workspace, createdAt, jobs, manifests, used: input.requests.used };
  const guarded = runGuards(steps, {
    ...guarding,
    ...plan,
    ...{ facts, kindNamed, capabilityOf, currentNames: () => currentNames(input) },
    summary: summarise(steps, still),
    existing: countObjects(steps, { ...input, stack }),
    atEnd: priceOfLists(input),
  });
  return { ...guarded, steps: holdDefinitions(guarded.steps, jobs) };
}

/** Lists gathered objects that a later read of the workspace, without the manifests, has to keep apart. */
function apartAddresses(
  { observation, prune: { described }, kindNamed }: PlanInput,
  steps: readonly Step[],
): Pick<Plan, 'apart'> {
  const gathering = [...observation.objects.keys()].filter((kind) => kindNamed(kind).gather !== undefined);
  if (gathering.length === 0) return {};
  const settled = new Set(steps.map(({ address }) => address));
  const addresses = [...described].filter(
    (address) => gathering.includes(splitAddress(address).kind) && !settled.has(address),
  );
  return addresses.length === 0 ? {} : { apart: addresses.sort(naturalOrder) };
}

/** Parts of a plan besides its steps, and what they are counted from. */
interface Facets
  extends Pick<
    PlanInput,
    'environment' | 'workspace' | 'manifests' | 'jobs' | 'requests' | 'selection' | 'promoted' | 'nonce' | 'createdAt'
  > {
  readonly stack: string;
  readonly still?: Still;
  readonly notes?: readonly Note[];
  readonly guards?: Plan['guards'];
  readonly atEnd?: PriceAtEnd;
}

/** Turns ordered steps into a plan, with its identity, counts and price. */
export function assemblePlan(steps: readonly Step[], input: Facets): Plan {
  const {
    stack,
    environment,
    workspace,
    jobs,
    nonce,
    createdAt,
    selection,
    promoted,
    still = { unchanged: 0, acknowledged: 0 },
    notes = [],
    guards = [],
  } = input;
  return {
    format: 'dexsync-plan/1',
    stack,
    environment,
    workspace,
    manifests: digestOfManifests(input.manifests),
    nonce,
    createdAt,
    ...omitUndefined({ selection, promoted }),
    summary: summarise(steps, still),
    notes,
    steps,
    guards,
    requests: {
      used: input.requests.used,
      apply: pricePlan(steps, jobs, input.atEnd),
      remaining: input.requests.remaining,
    },
  };
}

/** Numbers of objects without a step. */
interface Still {
  /** Objects that are as their manifests ask. */
  readonly unchanged: number;
  /** Objects whose manual step was acknowledged. */
  readonly acknowledged: number;
}

function summarise(steps: readonly Step[], { unchanged, acknowledged }: Still): Plan['summary'] {
  const summary: { -readonly [K in keyof Plan['summary']]: Plan['summary'][K] } = {
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
    ...(acknowledged === 0 ? {} : { acknowledged }),
  };
  for (const { action } of steps) summary[action] = (summary[action] ?? 0) + 1;
  return summary;
}
