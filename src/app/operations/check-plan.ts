import { withSpool } from '#base/files/spool-folder.js';
import type { Stale } from '#core/engine/stale-objects.js';
import type { Plan } from '#core/model/plan.js';
import { readTrustedPlan } from '#delivery/planfile/read-plan.js';
import { refuseElsewhere } from '#delivery/planfile/refuse-elsewhere.js';
import { rereadPlan } from '#delivery/planfile/reread-plan.js';
import { dataFolder } from '#project/config/environment.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** The saved plan to check, and the environment to check it against. */
export interface CheckPlanOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  /** A file, or `ledger:NAME`. */
  readonly file: string;
}

/** Whether a saved plan could be applied right now. */
export interface PlanCheck {
  readonly file: string;
  /** The one that the plan was checked against. */
  readonly environment: string;
  readonly workspace: Plan['workspace'];
  readonly applies: boolean;
  /** How many objects and imports the plan would write to. */
  readonly touched: number;
  /** Everything that differs from what the plan saw. */
  readonly stale: readonly Stale[];
}

/** Reads only the objects and imports that a saved plan touches. Sends no write. */
export async function checkPlan(options: CheckPlanOptions, host: Host): Promise<PlanCheck> {
  const saved = await readTrustedPlan(options.file, host, options);
  const { file, plan } = saved;
  const config = await openConfig(options, host);
  const environment = options.environment ?? plan.environment;
  await refuseElsewhere(saved, environment, config, host);
  return withConnection(config, { ...options, environment, access: 'read' }, host, async (connection) => {
    const { stale } = await withSpool(dataFolder(config), (spool) =>
      rereadPlan(saved, config, connection, spool, host),
    );
    const touched = plan.steps.filter(({ writes }) => writes.length > 0).length;
    return { file, environment, workspace: plan.workspace, applies: stale.length === 0, touched, stale };
  });
}
