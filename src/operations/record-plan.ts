import { carryOut } from '../apply/carry-out.js';
import type { Connection } from '../connection/connection.js';
import type { Recording } from '../connection/recording.js';
import { planOf } from '../engine/plan.js';
import type { Host } from '../host.js';
import type { Step } from '../model/plan.js';
import { showPlan } from '../planning/plan-manifests.js';
import { Identities } from '../service/identities.js';
import type { Summary } from '../stream/events.js';

/** Carries out steps that change nothing but the ledger, as a plan with a journal like every other. */
export async function recordPlan(
  steps: readonly Step[],
  { stack, recorded }: { readonly stack: string; readonly recorded: Recording },
  connection: Connection,
  host: Host,
): Promise<Summary> {
  const { client, workspace, environment } = connection;
  const plan = planOf(steps, {
    stack,
    unchanged: 0,
    environment,
    workspace,
    manifests: [],
    jobs: [],
    requests: { used: client.usage.used, remaining: client.usage.remaining },
    nonce: host.nonce(),
    createdAt: host.clock().toISOString(),
  });
  showPlan(plan, connection, host);
  return carryOut({ plan, identities: new Identities(client.profile), jobs: [], recorded }, connection, host);
}
