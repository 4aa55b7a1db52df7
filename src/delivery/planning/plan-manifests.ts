import { resolve } from 'node:path';
import { type SpoolFolder, withSpool } from '#base/files/spool-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Bound } from '#core/engine/bind.js';
import { makePlan, type PlanInput } from '#core/engine/plan.js';
import { mayReferTo } from '#core/engine/selection.js';
import { settleUnansweredWrites } from '#core/engine/settle-unanswered-writes.js';
import type { Address } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { Release } from '#core/model/release.js';
import type { Applier, PreviewPage } from '#core/stream/event.js';
import type { Job } from '#data/imports/job.js';
import { blockOddDefinitions } from '#data/imports/odd-definitions.js';
import { dataFolder } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import type { CommandFacts } from '#project/connection/command-facts.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { capabilityOf } from '#service/collection.js';
import { requestsOfList } from '#service/list-pages.js';
import { bindManifests, invalidInputCode } from './bind-manifests.js';
import { checkRelease } from './check-service-release.js';
import { combineGuards } from './combine-guards.js';
import { divergedImports } from './diverged-imports.js';
import { extraDefinitions, withDefinitions } from './extra-definitions.js';
import { withFormerNames } from './former-names.js';
import { parseGone } from './known-objects.js';
import { type ImportsRequest, prepareImports } from './plan-imports.js';
import { ownedBy, planScope, type Scope } from './plan-scope.js';
import { chooseAdoption, chooseCopyRemoval } from './planning-options.js';
import { readWorkspace, type Seen } from './read-workspace.js';
import { withReleasedRows } from './released-rows.js';

/** The manifests to plan, and the workspace to plan for. */
export interface PlanRequest extends ImportsRequest {
  /** Has the service validate the imports of the plan, which is then created again from the results. */
  readonly review?: Review;
  /** Says who creates the plan; not needed for a plan that is neither saved nor applied. */
  readonly recorded?: CommandFacts | undefined;
  /** The release that is promoted. */
  readonly release?: Release | undefined;
}

/** Sends imports for validation, and returns all jobs with the results. */
export type Review = (plan: Plan, jobs: readonly Job[], seen: Seen) => Promise<readonly Job[]>;

/** A plan to create over a connection that is opened for it, as often as needed. */
export interface PreparedPlan {
  readonly config: Config;
  readonly recorded: CommandFacts;
  requestFor(connection: Connection): PlanRequest;
}

/** A plan with everything that applying it in the same process needs. */
export interface Planned {
  readonly plan: Plan;
  readonly seen: Seen;
  readonly jobs: readonly Job[];
  readonly bound: readonly Bound[];
  /** The input of the plan. */
  readonly input: PlanInput;
  /** Pages of the imports whose rows were compared, if pages were requested. */
  readonly pages: readonly PreviewPage[];
  readonly spendable: Spendable;
}

/** How many requests an apply may spend today and on each later day, after reading; null if the service does not say. */
export interface Spendable {
  readonly today: number | null;
  readonly daily: number | null;
}

/**
 * Runs the stages from observing to the plan: one planner serves every operation. The spooled rows of imports last
 * until `use` ends.
 */
export const withPlan = <T>(request: PlanRequest, use: (planned: Planned) => Promise<T>): Promise<T> =>
  withSpool(dataFolder(request.config), async (spool) => use(await planManifests(request, spool)));

async function planManifests(given: PlanRequest, spool: SpoolFolder): Promise<Planned> {
  const { connection, review, recorded, promoting, release } = given;
  const pagesIn = await pageWriter(given);
  const known = await connection.ledger.state();
  const named = promoting === undefined ? given.selection : withFormerNames(given.selection, promoting, known.objects);
  const selection = release === undefined ? named : await withReleasedRows(named, release, known, connection.ledger);
  const request: PlanRequest = { ...given, selection };
  const before = planScope(request, known);
  const seen = await observe(request, before);
  seen.identities.remember(before.state.guids);
  const objects = settleUnansweredWrites(before.state.objects, seen.observation, request.config.catalog.knownKind);
  const scope = { ...before, state: { ...before.state, objects } };
  const bound = bindManifests(request, scope.state, seen);
  const inputWith = (those: readonly Job[]): PlanInput => inputOf(request, scope, { seen, bound, jobs: those });
  const origin = recorded === undefined ? {} : { provenance: await recorded.provenance(connection) };
  const planFrom = (input: PlanInput): Plan => ({ ...makePlan(input), ...origin });
  const planOf = (those: readonly Job[]): Plan => planFrom(inputWith(those));
  const jobs = await prepareImports(request, { ...scope, seen, bound, spool, planOf });
  const input = inputWith(jobs);
  const plan = planFrom(input);
  const pages = await pagesIn(plan, jobs);
  await request.options.changes?.keep(filesOfChanges(jobs), dataFolder(request.config));
  resolveDuplicateNames(bound, seen);
  const made = { seen, bound, input, pages, spendable: spendableOf(connection) };
  if (review === undefined) return { plan, jobs, ...made };
  const reviewed = await review(plan, jobs, seen);
  return { plan: planOf(reviewed), jobs: reviewed, ...made };
}

async function observe({ config, selection, options, connection, host }: PlanRequest, scope: Scope): Promise<Seen> {
  const { linked, leftOut } = selection;
  const { removing, left, replace, state } = scope;
  const beside = mayReferTo(removing, leftOut, config.catalog.schemaOf);
  const { stack } = config;
  const whole = options.children === 'all' ? ownedBy(stack, state) : [];
  const watched = {
    facts: state.objects,
    guids: state.guids,
    deleted: state.deleted,
    removing,
    left,
    anew: replace,
    beside,
    whole,
    ...parseGone(options, state, config.catalog),
    reading: options.reading,
  };
  const [seen] = await Promise.all([
    readWorkspace(withDefinitions(linked, extraDefinitions(selection), config.catalog), watched, connection, host),
    checkRelease(linked, connection, { folder: config.folder, code: invalidInputCode(selection) }, host),
  ]);
  return seen;
}

/** An apply leaves the reserve, and reads before it writes what planning read. */
function spendableOf({ client, keepRequests, dailyRequests }: Connection): Spendable {
  const { used, remaining } = client.usage;
  const without = (quota: number): number => Math.max(0, quota - keepRequests - used);
  return {
    today: remaining === null ? null : without(remaining),
    daily: dailyRequests === undefined ? null : without(dailyRequests),
  };
}

const filesOfChanges = (jobs: readonly Job[]): (readonly [Address, string])[] =>
  jobs.flatMap(({ facts, compared }) => (compared === undefined ? [] : [[facts.address, compared.changes] as const]));

type PageWriter = (plan: Plan, jobs: readonly Job[]) => Promise<readonly PreviewPage[]>;

/** Prepares the folder of the pages, which fails before the first request if they cannot be written. */
async function pageWriter({ options: { previewPages: shown }, host }: PlanRequest): Promise<PageWriter> {
  if (shown === undefined) return async () => [];
  const folder = resolve(host.cwd, shown);
  const { preparePages, writePages } = await import('#data/imports/preview/write-pages.js');
  await preparePages(folder, shown);
  return (plan, jobs) => writePages(jobs, { plan, folder, shown, secrets: host.secrets });
}

function inputOf(
  { config, selection, options, connection, host, untold }: PlanRequest,
  { state, replace, mayDelete, described }: Scope,
  { seen: { observation }, bound, jobs }: Pick<Planned, 'seen' | 'bound' | 'jobs'>,
): PlanInput {
  const { client, workspace, environment } = connection;
  const { linked, record, promoted } = selection;
  const asking = promoted && {
    asking: `environment "${promoted.environment}"`,
    ...omitUndefined({ untold }),
  };
  const { stack, manage } = config;
  return {
    deciding: {
      stack,
      manage,
      adopt: chooseAdoption(options, config),
      replace,
      ...chooseCopyRemoval(options),
      ...asking,
    },
    observation,
    facts: state.objects,
    located: state.guids,
    acknowledged: state.acknowledged,
    ...divergedImports(state, config.stack, selection),
    prune: { is: options.prune ?? 'no', described, mayDelete },
    environment,
    workspace,
    manifests: linked.manifests,
    edges: linked.edges,
    bound: bound.filter(({ manifest }) => config.catalog.kindNamed(manifest.kind) !== undefined),
    jobs: jobs.map(({ facts }) => facts),
    blockedImports: blockOddDefinitions({ bound, observation, state }),
    kindNamed: config.catalog.knownKind,
    capabilityOf: (kind) => capabilityOf(client, kind, observation),
    requestsOfList: (kind, objects) => requestsOfList(client, kind.collection, objects),
    requests: { used: client.usage.used, remaining: client.usage.remaining },
    nonce: host.nonce(),
    createdAt: host.clock().toISOString(),
    guarding: combineGuards(config, environment, linked.described, options),
    ...omitUndefined({ selection: record, promoted }),
  };
}

/** Resolves references to a name that several objects have to the one that the ledger knows. */
function resolveDuplicateNames(bound: readonly Bound[], { identities }: Seen): void {
  for (const { live, manifest } of bound) {
    if ('raw' in live) identities.choose(manifest.kind, live.raw.name, live.raw.identity);
  }
}

/** Emits a plan as what is about to be done, with the location of the pages of its rows. */
export const showPlan = (
  plan: Plan,
  { client }: Pick<Connection, 'client'>,
  host: Host,
  pages: readonly PreviewPage[] = [],
  applier?: Applier,
): void =>
  host.emit({
    ...{ type: 'plan', plan, reset: client.usage.reset },
    ...(pages.length === 0 ? {} : { pages }),
    ...omitUndefined({ applier }),
  });
