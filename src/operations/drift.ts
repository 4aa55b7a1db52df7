import { withConnection } from '../connection/connection.js';
import type { Host, ProjectOptions } from '../host.js';
import { type Drift, driftIn } from '../planning/drift-in-plan.js';
import { withPlan } from '../planning/plan-manifests.js';
import type { PlanningOptions } from '../planning/planning-options.js';
import { selectManifests } from '../planning/select-manifests.js';
import { openProject } from '../project/project.js';

/** Tells changes made outside from changes asked for. Sends no write. */
export async function drift(options: ProjectOptions & PlanningOptions, host: Host): Promise<Drift> {
  const { config, linked } = await openProject(options, host);
  const selection = selectManifests(linked, options, config.catalog);
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    const planning: PlanningOptions = { ...options, prune: 'no' };
    return withPlan({ config, selection, options: planning, connection, host }, async ({ plan }) => driftIn(plan));
  });
}
