import { type CommandFacts, gatherFacts } from '../connection/command-facts.js';
import { type Connection, withConnection } from '../connection/connection.js';
import type { Host, ProjectOptions } from '../host.js';
import type { Plan } from '../model/plan.js';
import { mayExport } from '../planning/may-export.js';
import { type Review, showPlan, withPlan } from '../planning/plan-manifests.js';
import type { PlanningOptions } from '../planning/planning-options.js';
import { selectManifests } from '../planning/select-manifests.js';
import { openProject } from '../project/project.js';
import { openItemExports } from '../service/item-exports.js';

/** How a plan is made. */
export interface PlanOptions extends ProjectOptions, PlanningOptions {
  /** `yes`: the service validates the rows of imports now, and applying the plan commits those very runs. */
  readonly validateImports?: 'yes' | 'no';
}

/**
 * Compares the manifests with the workspace. Emits the plan and returns it; sends no write but runs that only validate, and, where
 * rows are to be compared in full, exports that only read.
 */
export async function plan(options: PlanOptions, host: Host): Promise<Plan> {
  const { config, linked } = await openProject(options, host);
  const selection = selectManifests(linked, options, config.catalog);
  const validating = options.validateImports === 'yes';
  const recorded = gatherFacts('plan', options, config, host);
  const exporting = mayExport(selection, options);
  const access = validating || exporting ? 'write' : 'read';
  return withConnection(config, { ...options, access }, host, async (connection) => {
    const review = validating ? { review: await reviewWith(recorded, connection, host) } : {};
    const exports = exporting ? { exports: openItemExports(connection.client) } : {};
    return withPlan(
      { config, selection, options, connection, host, recorded, ...review, ...exports },
      async ({ plan: made, pages }) => {
        showPlan(made, connection, host, pages);
        return made;
      },
    );
  });
}

async function reviewWith(recorded: CommandFacts, connection: Connection, host: Host): Promise<Review> {
  const { reviewImports } = await import('../imports/review-imports.js');
  return (made, jobs, { identities }) => reviewImports(made, jobs, { identities, connection, recorded, host });
}
