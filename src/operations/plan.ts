import { kindNamed, manifestTypeNamed } from '../catalog.js';
import type { Config } from '../config/load-config.js';
import { bind } from '../engine/bind.js';
import type { Linked } from '../engine/link.js';
import { needCycles } from '../engine/need-cycles.js';
import { makePlan } from '../engine/plan.js';
import { noveltiesIn, sinceFindings } from '../engine/since.js';
import { DexsyncError } from '../errors.js';
import { importJob } from '../jobs/import.js';
import type { Kind } from '../model/kind.js';
import type { Capability, Observation } from '../model/observation.js';
import type { Plan } from '../model/plan.js';
import { collectionOf } from '../service/collection.js';
import { releaseOf } from '../service/release.js';
import { type Connection, withConnection } from './connection.js';
import type { Host, ProjectOptions } from './host.js';
import type { PlanningOptions } from './planning-options.js';
import type { Job, JobsInput, PreparedJobs } from './prepare-jobs.js';
import { openProject, report, schemaOf } from './project.js';
import { readWorkspace, type Seen } from './read-workspace.js';

/** Compares the manifests with the workspace. Emits the plan and returns it; sends no write. */
export async function plan(options: ProjectOptions & PlanningOptions, host: Host): Promise<Plan> {
  const { config, linked } = await openProject(options, host);
  return withConnection(config, { environment: options.environment, access: 'read' }, host, async (connection) => {
    const planned = await planManifests(config, linked, options, connection, host);
    await planned.release();
    return planned.plan;
  });
}

/** A plan with what is needed to carry it out in the same process. */
export interface Planned {
  readonly plan: Plan;
  readonly seen: Seen;
  readonly jobs: readonly Job[];
  /** Removes the spooled rows. */
  release(): Promise<void>;
}

/** The stages from observing to the plan. One planner serves every operation. */
export async function planManifests(
  config: Config,
  linked: Linked,
  _: PlanningOptions,
  connection: Connection,
  host: Host,
): Promise<Planned> {
  const { client, workspace, environment, ledger } = connection;
  const state = await ledger.state();
  const [seen] = await Promise.all([readWorkspace(linked, client, host), checkRelease(linked, connection, host)]);
  const binding = bind(linked.manifests, seen.observation, schemaOf, workspace.name);
  report(host, binding.diagnostics);
  const prepared = await jobsOf({
    config,
    bound: binding.bound,
    observation: seen.observation,
    workspace: workspace.name,
    state,
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
  const made = makePlan({
    stack: config.stack,
    environment,
    workspace,
    manifests: linked.manifests,
    edges: linked.edges,
    bound: binding.bound.filter(({ manifest }) => kindNamed(manifest.kind) !== undefined),
    jobs: prepared.jobs.map(({ facts }) => facts),
    kindNamed: knownKind,
    capabilityOf: (kind) => capabilityOf(kind, connection, seen.observation),
    requests: { used: client.usage.used, remaining: client.usage.remaining },
    nonce: host.nonce(),
    createdAt: host.clock().toISOString(),
  });
  host.emit({ type: 'plan', plan: made, reset: client.usage.reset });
  return { plan: made, seen, ...prepared };
}

/** The release is asked for only where a manifest names something that came with one. */
async function checkRelease({ manifests }: Linked, { client, workspace }: Connection, host: Host): Promise<void> {
  const novelties = noveltiesIn(manifests, manifestTypeNamed);
  const release = novelties.length === 0 ? undefined : await releaseOf(client);
  if (release !== undefined) report(host, sinceFindings(novelties, release, workspace.name));
}

/** Readers of tables and workbooks are loaded only where there is something to read. */
async function jobsOf(input: JobsInput): Promise<PreparedJobs> {
  const none = !input.bound.some(({ manifest }) => manifest.kind === importJob.name);
  if (none) return { jobs: [], release: async () => undefined };
  const { prepareJobs } = await import('./prepare-jobs.js');
  return prepareJobs(input);
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
