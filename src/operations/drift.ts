import { dataFolder } from '../config/environment.js';
import type { Config } from '../config/load-config.js';
import { type Connection, withConnection } from '../connection/connection.js';
import { withJournals } from '../connection/journals-of.js';
import { link } from '../engine/link.js';
import { withSpool } from '../files/spool-folder.js';
import type { Host, ProjectOptions } from '../host.js';
import { type FoundImport, knownImports } from '../imports/known-imports.js';
import { undoManifests } from '../imports/undo/undo-manifests.js';
import { type ImportDefinitionSpec, parseImportDefinition } from '../kinds/import-definition.js';
import { driftBeside } from '../planning/beside-plan.js';
import { type Drift, driftIn } from '../planning/drift-in-plan.js';
import { withPlan } from '../planning/plan-manifests.js';
import type { PlanningOptions } from '../planning/planning-options.js';
import { NOTHING_WATCHED, readWorkspace, type Seen } from '../planning/read-workspace.js';
import { selectManifests } from '../planning/select-manifests.js';
import { openProject } from '../project/project.js';

/** What is compared. */
export interface DriftOptions extends ProjectOptions, PlanningOptions {
  /** Also the rows that imports committed: `auto` if that takes few requests, `full` whatever it takes. */
  readonly data?: 'auto' | 'full';
}

/** Tells changes made outside from changes asked for. Sends no write. */
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
      const found = driftIn(plan, driftBeside(input));
      if (data === undefined) return found;
      const imports = await driftOfData({ known, data, config, seen }, connection, host);
      return { ...found, imports, requests: connection.client.usage.used };
    });
  });
}

interface Comparing {
  readonly known: readonly FoundImport[];
  readonly data: 'auto' | 'full';
  readonly config: Config;
  readonly seen: Seen;
}

async function driftOfData(
  { known, data, config, seen }: Comparing,
  connection: Connection,
  host: Host,
): Promise<NonNullable<Drift['imports']>> {
  const { driftOfImports } = await import('../imports/data-drift/drift-of-imports.js');
  const { openBudget, smallBudget } = await import('../imports/preview/request-budget.js');
  const budget =
    data === 'full' ? openBudget(connection.client, Number.POSITIVE_INFINITY) : smallBudget(connection, 'data');
  const { identities, observation } = await withCategories(known, seen, config, connection, host);
  return withSpool(dataFolder(config), async (spool) =>
    driftOfImports({
      known,
      connection,
      identities,
      observation,
      project: config,
      stack: config.stack,
      spool: await spool.path(),
      budget,
      host,
    }),
  );
}

/** Records say the plain names of their categories alone, where imports fill their paths. */
function withCategories(
  known: readonly FoundImport[],
  seen: Seen,
  { catalog }: Config,
  connection: Connection,
  host: Host,
): Promise<Seen> | Seen {
  const filling = known.find(({ request }) => fillsPath(parseImportDefinition(request.definition.spec)));
  if (filling === undefined) return seen;
  return readWorkspace(link(undoManifests(filling), catalog.schemaOf), NOTHING_WATCHED, connection, host);
}

const fillsPath = ({ options }: ImportDefinitionSpec): boolean =>
  (options?.mapping ?? []).some(({ apiName }) => apiName?.toLowerCase() === 'category.path');
