import { explainObject, type ObjectExplanation } from '#core/engine/explain-object.js';
import { explainJob, type JobExplanation } from '#core/jobs/explain-job.js';
import { withPlan } from '#delivery/planning/plan-manifests.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import { selectManifests } from '#delivery/planning/select-manifests.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { notInManifests } from '#project/not-in-manifests.js';
import { parseManifestAddress } from '#project/parse-address.js';
import { openProject } from '#project/project.js';
import { capabilityOf } from '#service/collection.js';

/** The object or import to explain. */
export interface ExplainPlanOptions extends ProjectOptions, PlanningOptions {
  readonly address: string;
}

/** The explanation of an object or of an import. */
export type PlanExplanation = ObjectExplanation | JobExplanation;

/**
 * Plans, and explains which rule decided about one object and each of its fields, or what decided about one import.
 * Sends no write.
 */
export async function explainPlan(
  { address: text, ...options }: ExplainPlanOptions,
  host: Host,
): Promise<PlanExplanation> {
  const { config, linked } = await openProject(options, host);
  const address = parseManifestAddress(text, config.catalog);
  if (!linked.manifests.some((manifest) => manifest.address === address)) throw notInManifests(address, linked);
  const selection = selectManifests(linked, options, config.catalog);
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    return withPlan({ config, selection, options, connection, host }, async ({ plan, bound, jobs, seen }) => {
      const step = plan.steps.find((other) => other.address === address);
      const job = jobs.find(({ facts }) => facts.address === address);
      if (job !== undefined) return explainJob(job.facts, step);
      const one = bound.find(({ manifest }) => manifest.address === address);
      if (one === undefined) throw notInManifests(address, linked);
      const kind = config.catalog.knownKind(one.manifest.kind);
      const can = capabilityOf(connection.client, kind, seen.observation);
      const acknowledged = plan.notes.find(
        ({ code, addresses }) => code === 'acknowledged' && addresses.includes(address),
      );
      return explainObject({
        ...{ bound: one, kind, can, stack: config.stack, step },
        acknowledged: acknowledged?.message,
      });
    });
  });
}
