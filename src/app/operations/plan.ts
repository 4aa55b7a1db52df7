import type { Plan } from '#core/model/plan.js';
import { type Drift, driftIn } from '#delivery/planning/drift-in-plan.js';
import { mayExport } from '#delivery/planning/may-export.js';
import { noteSeen } from '#delivery/planning/note-seen.js';
import { type Planned, type Review, showPlan, withPlan } from '#delivery/planning/plan-manifests.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import { selectManifests } from '#delivery/planning/select-manifests.js';
import { unplannedDrift } from '#delivery/planning/unplanned-changes.js';
import { type CommandFacts, gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openProject } from '#project/project.js';
import { openItemExports } from '#service/item-exports.js';

/** How to plan. */
export interface PlanOptions extends ProjectOptions, PlanningOptions {
  /** Whether the service validates the rows of imports now; applying the plan then commits those very runs. */
  readonly validateImports?: boolean;
}

/**
 * Compares the manifests with the workspace. Emits the plan and returns it; sends no write except runs that only
 * validate, and exports that only read, for rows that are compared in full.
 */
export const plan = (options: PlanOptions, host: Host): Promise<Plan> =>
  planWith(options, host, ({ plan: made }) => made);

/** Plans, and passes everything that was planned to `use`, and how to find the drift in it. */
export async function planWith<T>(
  options: PlanOptions,
  host: Host,
  use: (planned: Planned, drift: () => Drift) => T,
): Promise<T> {
  const { config, linked } = await openProject(options, host);
  const selection = selectManifests(linked, options, config.catalog);
  const validating = options.validateImports === true;
  const recorded = gatherFacts('plan', options, config, host);
  const exporting = mayExport(selection, options);
  const access = validating || exporting ? 'record' : 'read';
  return withConnection(config, { ...options, access }, host, async (connection) => {
    const review = validating ? { review: await reviewWith(recorded, connection, host) } : {};
    const exports = exporting ? { exports: openItemExports(connection.client) } : {};
    const request = { config, selection, options, connection, host, recorded, ...review, ...exports };
    return withPlan(request, async (planned) => {
      showPlan(planned.plan, connection, host, planned.pages);
      let found: Drift | undefined;
      const drift = (): Drift => {
        found ??= driftIn(planned.plan, unplannedDrift(planned.input));
        return found;
      };
      await noteSeen(planned.plan, drift, connection, { options, config, host });
      return use(planned, drift);
    });
  });
}

async function reviewWith(recorded: CommandFacts, connection: Connection, host: Host): Promise<Review> {
  const { reviewImports } = await import('#data/imports/review-imports.js');
  return (made, jobs, { identities }) => reviewImports(made, jobs, { identities, connection, recorded, host });
}
