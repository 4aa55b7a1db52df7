import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { listFirst } from '#core/engine/notes.js';
import { releaseChanges, releaseDigest } from '#core/engine/release.js';
import type { Address } from '#core/model/address.js';
import { RELEASE_FORMAT, type Release, type ReleaseContent } from '#core/model/release.js';
import { driftIn } from '#delivery/planning/drift-in-plan.js';
import { type Planned, withPlan } from '#delivery/planning/plan-manifests.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import { selectManifests } from '#delivery/planning/select-manifests.js';
import { unplannedDrift } from '#delivery/planning/unplanned-changes.js';
import { releaseContent } from '#delivery/release/release-content.js';
import type { LedgerState } from '#ledger/fold.js';
import { readEntry } from '#ledger/history/history-entry.js';
import { changeLog } from '#ledger/stored-plan.js';
import { addRelease, newestRelease } from '#ledger/stored-release.js';
import type { Config } from '#project/config/load-config.js';
import { currentAuthor } from '#project/connection/author.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openProject } from '#project/project.js';

/** What to release. */
export interface CreateReleaseOptions extends ProjectOptions {
  /** `applied` by default: refused while somebody else changed anything. */
  readonly as?: Release['as'];
  /** Another name for it. */
  readonly name?: string;
  readonly note?: string;
}

/** A release, and whether it is new: an environment that has not changed since the newest one has no other. */
export interface CreatedRelease {
  readonly release: Release;
  readonly isNew: boolean;
  /** Requests that the environment was read with. */
  readonly requests: number;
}

/**
 * Records what an environment has of the stack, and numbers it. Sends no write to the service. Throws DRIFTED if others
 * changed something, unless `as` is `live`.
 */
export async function createRelease(
  { as = 'applied', ...options }: CreateReleaseOptions,
  host: Host,
): Promise<CreatedRelease> {
  const { config, linked } = await openProject(options, host);
  checkName(options.name);
  const recorded = gatherFacts('release create', options, config, host);
  const selection = selectManifests(linked, {}, config.catalog);
  return withConnection(config, { ...options, access: 'read' }, host, (connection) =>
    withPlan({ config, selection, options: READING[as], connection, host }, async (planned) => {
      const { name, note } = options;
      const content = contentOf(as, planned, await connection.ledger.state());
      const by = await recorded.provenance(connection);
      const applied = await lastApply(connection, config.stack);
      const facts = { stack: config.stack, as, by, ...omitUndefined({ name, note, applied }) };
      return addIfNew({ ...facts, content }, { config, connection, host });
    }),
  );
}

const COMPARING: PlanningOptions = { prune: 'no', preview: 'none', reading: 'drift' };

/** Lists that no manifest names, such as members, cost a request each: only a live release has them as they are. */
const READING: Readonly<Record<Release['as'], PlanningOptions>> = {
  applied: COMPARING,
  live: { ...COMPARING, children: 'all' },
};

function contentOf(as: Release['as'], { plan, input }: Planned, state: LedgerState): ReleaseContent {
  const changed = driftIn(plan, unplannedDrift(input)).objects.filter(({ checked }) => checked !== true);
  if (as === 'applied' && changed.length > 0)
    throw drifted(
      changed.map(({ address }) => address),
      plan.environment,
    );
  const { observation, manifests, kindNamed, capabilityOf, deciding } = input;
  return releaseContent({ as, stack: deciding.stack, state, observation, manifests, kindNamed, capabilityOf });
}

/** The newest apply of the stack that did anything. */
async function lastApply({ ledger }: Connection, stack: string): Promise<Release['applied']> {
  const journals = await ledger.journals();
  for (const [index, journal] of [...journals.entries()].reverse()) {
    const { entry } = (await readEntry({ ...journal, number: index + 1 })) ?? {};
    if (entry?.apply?.stack !== stack || entry.at === null || Object.keys(entry.counts?.done ?? {}).length === 0)
      continue;
    const { actor, git, ci } = entry.apply;
    return { number: entry.number, at: entry.at, by: { actor, ...omitUndefined({ git, ci }) } };
  }
  return undefined;
}

type Unnumbered = Pick<Release, 'stack' | 'as' | 'by' | 'name' | 'note' | 'applied' | 'content'>;

interface Place {
  readonly config: Config;
  readonly connection: Connection;
  readonly host: Host;
}

/** Numbers it after the newest one, also where somebody else adds one at the same time. */
async function addIfNew(facts: Unnumbered, { config, connection, host }: Place): Promise<CreatedRelease> {
  const { environment, workspace, client, kept } = connection;
  const digest = releaseDigest(facts.content);
  const author = currentAuthor(config, environment, host);
  for (;;) {
    const newest = await newestRelease(kept.releases, environment);
    if (newest?.digest === digest) return { release: newest, isNew: false, requests: client.usage.used };
    const changes = releaseChanges(newest, facts, config.catalog.schemaOf).map(({ fields: _, ...change }) => change);
    const release: Release = {
      format: RELEASE_FORMAT,
      source: environment,
      number: (newest?.number ?? 0) + 1,
      at: host.clock().toISOString(),
      workspace: workspace.name,
      digest,
      changes,
      ...facts,
    };
    const isAdded = await addRelease(kept.releases, release, changeLog('created', author));
    if (isAdded) return { release, isNew: true, requests: client.usage.used };
  }
}

/** Checks the other name of a release, which must not look like a number. */
function checkName(name: string | undefined): void {
  if (name === undefined || (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && !/^(?:r\d+|previous)$/.test(name)))
    return;
  throw new DexsyncError('USAGE', `"${name}" cannot be the name of a release.`, {
    hint: 'Use at most 100 letters, digits, ".", "_" and "-", such as `2026-spring`. Numbers such as r41 are assigned, and `previous` means one.',
  });
}

const drifted = (addresses: readonly Address[], environment: string): DexsyncError =>
  new DexsyncError(
    'DRIFTED',
    `No release was created: others changed ${addresses.length === 1 ? '1 object' : `${addresses.length} objects`} of environment "${environment}" since the last apply: ${listFirst(addresses)}.`,
    {
      hint: '`dexsync drift` shows the changes. Apply or pull them first, or release all that is there now with `--live`.',
    },
  );
