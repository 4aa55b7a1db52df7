import { withSpool } from '#base/files/spool-folder.js';
import { link } from '#core/engine/link.js';
import { type ImportDefinitionSpec, parseImportDefinition } from '#core/kinds/import-definition.js';
import { type FoundImport, knownImports } from '#data/imports/known-imports.js';
import { originalManifests } from '#data/imports/undo/undo-manifests.js';
import { type Drift, driftIn } from '#delivery/planning/drift-in-plan.js';
import { noteSeen } from '#delivery/planning/note-seen.js';
import { withPlan } from '#delivery/planning/plan-manifests.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import { EMPTY_READ_REQUEST, readWorkspace, type Seen } from '#delivery/planning/read-workspace.js';
import { selectManifests } from '#delivery/planning/select-manifests.js';
import { unplannedDrift } from '#delivery/planning/unplanned-changes.js';
import { dataFolder } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import { withJournals } from '#project/connection/environment-journals.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openProject } from '#project/project.js';

/** The manifests to compare, and whether to compare rows. */
export interface DriftOptions extends ProjectOptions, PlanningOptions {
  /** Also compares rows that imports committed: `auto` if that takes few requests, `full` in any case. */
  readonly data?: 'auto' | 'full';
}

/** Separates changes made outside dexsync from changes that the manifests ask for. Sends no write. */
export async function drift(options: DriftOptions, host: Host): Promise<Drift> {
  const { config, linked } = await openProject(options, host);
  const { data } = options;
  const selection = selectManifests(linked, options, config.catalog);
  const known =
    data === undefined
      ? []
      : await withJournals(config, options.environment, host, ({ journals }) => knownImports(journals));
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    const planning: PlanningOptions = { ...options, prune: 'no', preview: 'none', reading: 'drift' };
    return withPlan({ config, selection, options: planning, connection, host }, async ({ plan, seen, input }) => {
      const found = driftIn(plan, unplannedDrift(input));
      await noteSeen(plan, () => found, connection, { options, config, host });
      if (data === undefined) return found;
      const imports = await driftOfData({ known, data, config, seen }, connection, host);
      return { ...found, imports, requests: connection.client.usage.used };
    });
  });
}

interface DataDriftRequest {
  readonly known: readonly FoundImport[];
  readonly data: 'auto' | 'full';
  readonly config: Config;
  readonly seen: Seen;
}

async function driftOfData(
  { known, data, config, seen }: DataDriftRequest,
  connection: Connection,
  host: Host,
): Promise<NonNullable<Drift['imports']>> {
  const { driftOfImports } = await import('#data/imports/data-drift/drift-of-imports.js');
  const { openBudget, smallBudget } = await import('#data/imports/preview/request-budget.js');
  const budget =
    data === 'full' ? openBudget(connection.client, Number.POSITIVE_INFINITY) : smallBudget(connection, 'data');
  const { identities, observation } = await withCategories(known, seen, config, connection, host);
  return withSpool(dataFolder(config), async (spool) =>
    driftOfImports({
      ...{ known, connection, identities, observation, project: config, budget, host },
      spool: await spool.path(),
    }),
  );
}

/** Reads the categories if an import fills their paths: records contain only the plain names. */
function withCategories(
  known: readonly FoundImport[],
  seen: Seen,
  { catalog }: Config,
  connection: Connection,
  host: Host,
): Promise<Seen> | Seen {
  const filling = known.find(({ request }) => fillsPath(parseImportDefinition(request.definition.spec)));
  if (filling === undefined) return seen;
  return readWorkspace(link(originalManifests(filling), catalog.schemaOf), EMPTY_READ_REQUEST, connection, host);
}

const fillsPath = ({ options }: ImportDefinitionSpec): boolean =>
  (options?.mapping ?? []).some(({ apiName }) => apiName?.toLowerCase() === 'category.path');
