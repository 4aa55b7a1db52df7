import { link } from '#core/engine/link.js';
import type { Plan } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import type { Ask } from '#delivery/planfile/consent.js';
import { withPlan } from '#delivery/planning/plan-manifests.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import { selectManifests } from '#delivery/planning/select-manifests.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { applyAgreed } from './apply.js';

/** How to plan the deletes, and who is asked. */
export interface DestroyOptions extends ProjectOptions, PlanningOptions {
  /** Asked with the plan that was shown. Anything but true ends the operation without a write. */
  readonly confirm: Ask<Plan>;
}

/** Removes all objects this stack created or adopted, unless protected. Asking for the workspace name is the guard. */
export async function destroy(options: DestroyOptions, host: Host): Promise<Summary | undefined> {
  const config = await openConfig(options, host);
  const recorded = gatherFacts('destroy', options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const implied = ['deletes', 'empty-input', 'max-requests', 'production'] as const;
    const planning: PlanningOptions = { ...options, implied, prune: 'all' };
    const nothing = selectManifests(link([], config.catalog.schemaOf), planning, config.catalog);
    const request = { config, selection: nothing, options: planning, connection, host, recorded };
    return withPlan(request, ({ plan, jobs, seen: { identities } }) =>
      applyAgreed({ plan, jobs, identities, recorded }, options, connection, host),
    );
  });
}
