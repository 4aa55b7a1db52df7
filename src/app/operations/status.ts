import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import { releaseName } from '#core/model/release.js';
import { knownImports } from '#data/imports/known-imports.js';
import { promotionsIn } from '#delivery/release/promotions.js';
import { type FleetShares, fleetShares, judgeFleet } from '#delivery/release/stage-shares.js';
import { type HistoryEntry, readEntry, type SourcedEntry } from '#ledger/history/history-entry.js';
import { isSeenSince, type LastSeen } from '#ledger/last-seen.js';
import type { NumberedJournal } from '#ledger/ledger.js';
import { releaseKeys } from '#ledger/stored-release.js';
import type { Config } from '#project/config/load-config.js';
import { type EnvironmentSelection, selectEnvironments } from '#project/config/select-environments.js';
import { withJournals } from '#project/connection/environment-journals.js';
import { withReleases } from '#project/connection/releases-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { openConfig } from '#project/project.js';
import { type NextRelease, nextOf, nextRelease, type PromotedRelease, releaseOf } from './environment-release.js';
import { listPlans } from './list-plans.js';
import { showLocks } from './locks.js';

/** Which environments to look at: all of the configuration, or those that names, patterns and a condition mean. */
export interface StatusOptions extends ProjectOptions, Pick<EnvironmentSelection, 'where'> {
  /** Looks for drift in each of them first, which takes a login and the requests of `drift`. */
  readonly live?: boolean;
}

/** What the ledger knows of the environments of a stack. */
export interface Status {
  readonly stack: string;
  readonly environments: readonly EnvironmentStatus[];
  /** The fleet at the end of the chain, if all of its environments are here. */
  readonly fleets: readonly FleetShares[];
  /** Requests to all services. */
  readonly requests: number;
}

/** What the ledger knows of one environment. */
export interface EnvironmentStatus {
  readonly environment: string;
  readonly production: boolean;
  /** Whether it is known without a login what its workspace is. `problem` says why something cannot be read. */
  readonly known: boolean;
  readonly problem?: { readonly message: string; readonly hint?: string };
  /** The release that was promoted here last; null if none was. */
  readonly release: PromotedRelease | null;
  /** The newest release of what this environment has. */
  readonly created: string | null;
  /** The newest release of the chain, if it is not here yet, and the gates that keep it. */
  readonly next: NextRelease | null;
  readonly lastApply: LastApply | null;
  /** What a plan, `drift` or a watch saw there last, and whether that was after the last apply. */
  readonly seen: (LastSeen & { readonly sinceLastApply: boolean }) | null;
  readonly plans: { readonly waiting: number; readonly approved: number; readonly rejected: number };
  /** Rows that no run brought into the workspace, and runs that wait. */
  readonly imports: { readonly missing: number; readonly open: number };
  /** Who uses it now. */
  readonly locks: readonly string[];
  /** Whether something there waits for a person. */
  readonly attention: boolean;
}

/** Whether something waits for a person: a release, drift, a conflict, an apply that did not end well, or rows. */
function needsAttention({ release, next, seen, lastApply, imports }: EnvironmentStatus): boolean {
  const { failed = 0, unknown = 0, partly = 0, skipped = 0 } = lastApply?.counts ?? {};
  const counts = [failed, unknown, partly, skipped, imports.missing, imports.open, seen?.drifted ?? 0];
  const left = release === null ? [] : [release.open, release.conflicts, release.behind];
  const isUnfinished = lastApply !== null && lastApply.state !== 'ended';
  return next !== null || isUnfinished || [...counts, ...left].some((count) => count > 0);
}

/** The newest apply. */
export interface LastApply extends Pick<HistoryEntry, 'number' | 'at' | 'state' | 'counts'> {
  readonly apply: ApplyFacts | null;
}

/**
 * Reads what the ledger knows of each environment. Without `live` it sends no request, and logs in nowhere; with it, an
 * environment that cannot be reached has a `problem` beside what the ledger knows.
 */
export const status = (options: StatusOptions, outer: Host): Promise<Status> =>
  withSharing(outer, (host) => statusOfAll(options, host));

async function statusOfAll({ live, where, ...options }: StatusOptions, host: Host): Promise<Status> {
  const config = await openConfig(options, host);
  const { environment } = options;
  const names = await selectEnvironments(config, { names: environment, where }, host.clock());
  const environments: EnvironmentStatus[] = [];
  let requests = 0;
  for (const environment of names) {
    const own = { ...options, environment };
    const looked = live === true ? await lookAt(own, host) : { requests: 0 };
    requests += looked.requests;
    const found = await statusOf(own, config, host);
    environments.push('problem' in looked ? { problem: looked.problem, ...found, attention: true } : found);
  }
  return { stack: config.stack, ...(await withFleet(environments, options, config, host)), requests };
}

/** Adds the fleet at the end of the chain, and what waits for its environments. */
async function withFleet(
  all: readonly EnvironmentStatus[],
  options: ProjectOptions,
  config: Config,
  host: Host,
): Promise<Pick<Status, 'environments' | 'fleets'>> {
  const names = all.flatMap(({ environment, problem }) => (problem === undefined ? [environment] : []));
  const found = await judgeFleet(names, options, config, host);
  if (found === undefined) return { environments: all, fleets: [] };
  const environments = all.map((one) => {
    const judged = found.next.get(one.environment);
    return judged === undefined ? one : { ...one, next: nextOf(judged), attention: true };
  });
  const own = all.filter(({ environment }) => found.environments.includes(environment));
  if (own.length < found.environments.length) return { environments, fleets: [] };
  const releases = own.map(({ release }) => (release?.open === 0 ? release.name : undefined));
  return { environments, fleets: [fleetShares(found.fleet, releases)] };
}

type Problem = NonNullable<EnvironmentStatus['problem']>;

const problemOf = ({ message, hint }: DexsyncError): Problem => ({ message, ...omitUndefined({ hint }) });

/** Looks for drift, of which the ledger then knows. */
async function lookAt(own: Own, host: Host): Promise<{ readonly requests: number; readonly problem?: Problem }> {
  try {
    const { drift } = await import('./drift.js');
    const { requests } = await drift(own, host);
    return { requests };
  } catch (error) {
    if (!(error instanceof DexsyncError)) throw error;
    return { requests: 0, problem: problemOf(error) };
  }
}

type Own = ProjectOptions & { readonly environment: string };

async function statusOf(own: Own, config: Config, host: Host): Promise<EnvironmentStatus> {
  const { environment } = own;
  const base: EnvironmentStatus = {
    ...{ environment, production: config.environments[environment]?.production === true, known: true },
    ...{ release: null, created: null, next: null, lastApply: null, seen: null, locks: [], attention: false },
    ...{ plans: { waiting: 0, approved: 0, rejected: 0 }, imports: { missing: 0, open: 0 } },
  };
  try {
    const shared = { ...base, plans: await plansOf(own, host), locks: await locksOf(own, host) };
    // A journal is read while its backend is open.
    const applied = await withJournals(
      ...[config, environment, host],
      async ({ journals, lastSeen }) => ({
        ...(await appliedIn(journals, await lastSeen())),
        promotion: (await promotionsIn(journals).next()).value,
      }),
      async () => undefined,
    );
    const { promotion, ...facts } = applied ?? { promotion: undefined };
    const released = await withReleases(own, host, async ({ releases }) => {
      const keys = await releaseKeys(releases);
      const release = promotion === undefined ? null : await releaseOf(promotion, keys, releases);
      const newest = keys.findLast(({ source }) => source === environment);
      const created = newest === undefined ? null : releaseName(newest);
      return { release, created, next: await nextRelease(environment, config, releases, host) };
    });
    const found = { ...shared, ...facts, ...released, known: applied !== undefined };
    return { ...found, attention: needsAttention(found) };
  } catch (error) {
    if (!(error instanceof DexsyncError)) throw error;
    return { ...base, attention: true, problem: problemOf(error) };
  }
}

async function plansOf(own: Own, host: Host): Promise<EnvironmentStatus['plans']> {
  const { plans } = await listPlans(own, host);
  const judged = plans.filter((plan) => 'approvedBy' in plan);
  return {
    waiting: plans.length,
    approved: judged.filter(({ approvedBy }) => approvedBy.length > 0).length,
    rejected: judged.filter(({ rejectedBy }) => rejectedBy.length > 0).length,
  };
}

const locksOf = async (own: Own, host: Host): Promise<readonly string[]> =>
  (await showLocks(own, host)).leases.map((lease) => ('by' in lease ? lease.by : `a damaged lock (${lease.file})`));

async function appliedIn(
  journals: readonly NumberedJournal[],
  seen: LastSeen | undefined,
): Promise<Pick<EnvironmentStatus, 'lastApply' | 'seen' | 'imports'>> {
  const newest = journals.at(-1);
  const last = newest && (await readEntry(newest));
  const imports = await knownImports(journals);
  return {
    lastApply: last === undefined ? null : lastApplyOf(last),
    seen: seen === undefined ? null : { ...seen, sinceLastApply: isSeenSince(seen, last?.entry) },
    imports: {
      missing: imports.reduce(
        (sum, { missing = 0, acknowledgement }) => sum + (acknowledgement === undefined ? missing : 0),
        0,
      ),
      open: imports.filter(({ rows, state }) => rows === undefined && state !== 'failed').length,
    },
  };
}

const lastApplyOf = ({ entry: { number, at, state, counts, apply } }: SourcedEntry): LastApply => ({
  number,
  at,
  state,
  counts,
  apply,
});
