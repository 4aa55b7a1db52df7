import { carryOut } from '../apply/carry-out.js';
import type { CommandFacts } from '../connection/command-facts.js';
import type { Connection } from '../connection/connection.js';
import { planOfSteps } from '../connection/plan-steps.js';
import type { Host } from '../host.js';
import type { Step } from '../model/plan.js';
import { showPlan } from '../planning/plan-manifests.js';
import { Identities } from '../service/identities.js';
import type { Summary } from '../stream/event.js';

/** Carries out steps that change nothing but the ledger, with a journal like every other plan. */
export function recordSteps(
  steps: readonly Step[],
  { stack, recorded }: { readonly stack: string; readonly recorded: CommandFacts },
  connection: Connection,
  host: Host,
): Promise<Summary> {
  const plan = planOfSteps(steps, stack, connection, host);
  showPlan(plan, connection, host);
  const identities = new Identities(connection.client.profile);
  return carryOut({ plan, identities, jobs: [], recorded }, connection, host);
}
