import { kindNamed, manifestTypeNamed } from '../catalog.js';
import type { Config } from '../config/load-config.js';
import { type Connection, withConnection } from '../connection/connection.js';
import { type Recording, recording } from '../connection/recording.js';
import { type Bound, bind } from '../engine/bind.js';
import type { Linked } from '../engine/link.js';
import type { Facts } from '../engine/live.js';
import { needCycles } from '../engine/need-cycles.js';
import { makePlan, type PlanInput } from '../engine/plan.js';
import { leftOver } from '../engine/prune.js';
import { mayPrune, mayReferTo, type Selection } from '../engine/selection.js';
import { excludedFindings, pruneFindings } from '../engine/selection-findings.js';
import { noveltiesIn, sinceFindings } from '../engine/since.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import type { Job, PreparedJobs } from '../imports/job.js';
import type { JobsInput } from '../imports/prepare-jobs.js';
import { importJob } from '../jobs/import.js';
import type { LedgerState } from '../ledger/fold.js';
import { type Address, addressOf } from '../model/address.js';
import type { Kind } from '../model/kind.js';
import type { Capability, Observation } from '../model/observation.js';
import type { Plan } from '../model/plan.js';
import { definitionsBeside, withDefinitions } from '../planning/definitions-beside.js';
import { guardingOf } from '../planning/guarding.js';
import { adoptionOf, type PlanningOptions } from '../planning/planning-options.js';
import { readWorkspace, type Seen } from '../planning/read-workspace.js';
import { checkAgainstLedger, selectManifests } from '../planning/select-manifests.js';
import { notInManifests } from '../project/not-in-manifests.js';
import { parseAddress } from '../project/parse-address.js';
import { openProject, report, schemaOf } from '../project/project.js';
import type { Reader } from '../service/client.js';
import { collectionOf } from '../service/collection.js';
import { releaseOf } from '../service/release.js';

export interface PlanOptions extends ProjectOptions, PlanningOptions {
  /** `yes`: the service validates the rows of imports now, and applying the plan commits those very runs. */
  readonly validateImports?: 'yes' | 'no';
}

/** Compares the manifests with the workspace. Emits the plan and returns it; sends no write but runs that only validate. */
export async function plan(options: PlanOptions, host: Host): Promise<Plan> {
  const { config, linked } = await openProject(options, host);
  const selection = selectManifests(linked, options);
  const validating = options.validateImports === 'yes';
  const recorded = validating ? recording('plan', options, config, host) : undefined;
  return withConnection(config, { ...options, access: validating ? 'write' : 'read' }, host, async (connection) => {
    const review = recorded === undefined ? undefined : await reviewWith(recorded, connection, host);
    const planned = await planManifests(config, selection, options, connection, host, review);
    showPlan(planned.plan, connection, host);
    await planned.release();
    return planned.plan;
  });
}

type Review = (made: Plan, jobs: readonly Job[], seen: Seen) => Promise<readonly Job[]>;

async function reviewWith(recorded: Recording, connection: Connection, host: Host): Promise<Review> {
  const { reviewImports } = await import('../imports/review-imports.js');
  return (made, jobs, { identities }) => reviewImports(made, jobs, { identities, connection, recorded, host });
}

export const showPlan = (plan: Plan, { client }: Connection, host: Host): void =>
  host.emit({ type: 'plan', plan, reset: client.usage.reset });

/** A plan with what is needed to carry it out in the same process. */
export interface Planned {
  readonly plan: Plan;
  readonly seen: Seen;
  readonly jobs: readonly Job[];
  readonly bound: readonly Bound[];
  readonly facts: Facts;
  /** Removes the spooled rows. */
  release(): Promise<void>;
}

/** The stages from observing to the plan. One planner serves every operation. */
export async function planManifests(
  config: Config,
  selection: Selection,
  options: PlanningOptions,
  connection: Connection,
  host: Host,
  review?: Review,
): Promise<Planned> {
  const { client, workspace, environment, ledger } = connection;
  const { linked, record } = selection;
  const state = await ledger.state();
  const replace = new Set(options.replace?.map((text) => describedBy(linked, text)));
  checkAgainstLedger(selection, options, ownedBy(config.stack, state));
  const { claimed: described } = selection;
  const facts = state.objects;
  const mayDelete = (address: Address): 'yes' | 'no' => (mayPrune(selection, address) ? 'yes' : 'no');
  const left = options.prune === 'yes' ? leftOver({ stack: config.stack, facts, described }) : [];
  const removing = left.filter((address) => mayDelete(address) === 'yes');
  const watched = { facts, removing, anew: replace, beside: mayReferTo(removing, selection.leftOut, schemaOf) };
  const definitions = definitionsBeside(selection);
  const [seen] = await Promise.all([
    readWorkspace(withDefinitions(linked, definitions), watched, client, host),
    checkRelease(linked, connection, host),
  ]);
  const binding = bind(linked.manifests, seen.observation, schemaOf, workspace.name, facts, linked.described);
  report(host, [
    ...(options.prune === 'yes' ? pruneFindings(selection.patterns) : []),
    ...excludedFindings(binding.diagnostics, selection, workspace.name),
  ]);
  const prepared = await jobsOf(client, seen, {
    config,
    bound: binding.bound,
    leftOut: bind(definitions, seen.observation, schemaOf, workspace.name).bound,
    observation: seen.observation,
    workspace: workspace.name,
    state,
    again: new Set(options.reimport?.map((text) => importDescribed(linked, text))),
    host,
  });
  try {
    report(
      host,
      needCycles(
        linked.edges,
        prepared.jobs.map(({ facts }) => facts),
      ),
    );
  } catch (error) {
    await prepared.release();
    throw error;
  }
  const input = (jobs: readonly Job[]): PlanInput => ({
    deciding: { stack: config.stack, adopt: adoptionOf(options, config), replace },
    observation: seen.observation,
    facts,
    prune: { is: options.prune ?? 'no', described, mayDelete },
    environment,
    workspace,
    manifests: linked.manifests,
    edges: linked.edges,
    bound: binding.bound.filter(({ manifest }) => kindNamed(manifest.kind) !== undefined),
    jobs: jobs.map(({ facts }) => facts),
    kindNamed: knownKind,
    capabilityOf: (kind) => capabilityOf(kind, connection, seen.observation),
    requests: { used: client.usage.used, remaining: client.usage.remaining },
    nonce: host.nonce(),
    createdAt: host.clock().toISOString(),
    guarding: guardingOf(config, environment, linked.described, options),
    ...(record === undefined ? {} : { selection: record }),
  });
  const made = makePlan(input(prepared.jobs));
  chooseAmongTwins(binding.bound, seen);
  const planned = { seen, bound: binding.bound, facts, release: prepared.release };
  if (review === undefined) return { plan: made, jobs: prepared.jobs, ...planned };
  try {
    const jobs = await review(made, prepared.jobs, seen);
    return { plan: makePlan(input(jobs)), jobs, ...planned };
  } catch (error) {
    await prepared.release();
    throw error;
  }
}

/** Only what a manifest describes can be made anew. */
function describedBy(linked: Linked, text: string): Address {
  const { address } = parseAddress(text);
  if (linked.manifests.some((manifest) => manifest.address === address)) return address;
  throw notInManifests(address, linked);
}

/** By its address or its name alone: `Import/Nightly parts`, `Nightly parts`. */
function importDescribed(linked: Linked, text: string): Address {
  const imports = linked.manifests.filter(({ kind }) => kind === importJob.name);
  const found = imports.find(({ address, metadata }) => address === text || metadata.name === text);
  if (found !== undefined) return found.address;
  throw notInManifests(text.startsWith(`${importJob.name}/`) ? text : addressOf(importJob.name, text), linked);
}

/** A name that several objects have means, where it is referred to, the one that the ledger knows. */
function chooseAmongTwins(bound: readonly Bound[], { identities }: Seen): void {
  for (const { live, manifest } of bound) {
    if ('raw' in live) identities.choose(manifest.kind, live.raw.name, live.raw.identity);
  }
}

const ownedBy = (stack: string, { objects }: LedgerState): Address[] =>
  [...objects].flatMap(([address, fact]) => (fact.stack === stack ? [address] : []));

/** The release is asked for only where a manifest names something that came with one. */
async function checkRelease({ manifests }: Linked, { client, workspace }: Connection, host: Host): Promise<void> {
  const novelties = noveltiesIn(manifests, manifestTypeNamed);
  const release = novelties.length === 0 ? undefined : await releaseOf(client);
  if (release !== undefined) report(host, sinceFindings(novelties, release, workspace.name));
}

/** Readers of tables and workbooks are loaded only where there is something to read. */
async function jobsOf(reader: Reader, { identities }: Seen, input: JobsInput): Promise<PreparedJobs> {
  const none = !input.bound.some(({ manifest }) => manifest.kind === importJob.name);
  if (none) return { jobs: [], release: async () => undefined };
  const { prepareJobs } = await import('../imports/prepare-jobs.js');
  const { runHistory } = await import('../imports/run-history.js');
  return prepareJobs({ ...input, history: runHistory(reader, identities, input.state) });
}

export function knownKind(name: string): Kind {
  const kind = kindNamed(name);
  if (kind !== undefined) return kind;
  throw new DexsyncError('UNKNOWN_NAME', `There is no kind "${name}".`);
}

const NOTHING: Capability = { list: 'no', create: 'no', update: [], updateBody: 'full', delete: 'no' };

/** What the profile says, unless the service turned out to have no list of the kind at all. */
export const capabilityOf = (kind: Kind, { client }: Connection, { unlisted }: Observation): Capability =>
  unlisted.has(kind.name) ? NOTHING : (collectionOf(client, kind.collection).can ?? NOTHING);
