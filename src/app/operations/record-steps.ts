import { DexsyncError, type ErrorCode } from '#base/errors.js';
import type { Step } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import { executePlan } from '#delivery/apply/execute-plan.js';
import type { Failure } from '#delivery/apply/failure.js';
import { showPlan } from '#delivery/planning/plan-manifests.js';
import type { CommandFacts } from '#project/connection/command-facts.js';
import type { Connection } from '#project/connection/connection.js';
import { planOfSteps } from '#project/connection/plan-steps.js';
import type { Host } from '#project/host.js';
import { Identities } from '#service/identities.js';

/** The stack of the steps, and the facts that are recorded with them. */
export interface StepFacts {
  readonly stack: string;
  readonly recorded: CommandFacts;
  /** GUIDs of the steps' objects, which the ledger records to read objects that a list does not show. */
  readonly identities?: Identities;
}

/** Applies steps that change nothing but the ledger, with a journal like every other plan. */
export function recordSteps(
  steps: readonly Step[],
  { stack, recorded, identities }: StepFacts,
  connection: Connection,
  host: Host,
): Promise<Summary> {
  const plan = planOfSteps(steps, stack, connection, host);
  showPlan(plan, connection, host);
  const known = identities ?? new Identities(connection.client.profile);
  return executePlan({ plan, identities: known, jobs: [], recorded }, connection, host);
}

/** Records steps for a command that reports more. Throws the first failure: a step that is not durable is not done. */
export async function recordStepsOrThrow(
  ...[steps, facts, connection, host]: Parameters<typeof recordSteps>
): Promise<void> {
  let failed: Failure | undefined;
  const emit: Host['emit'] = (event) => {
    if (event.type === 'step' && event.status.is === 'failed') failed ??= event.status;
    host.emit(event);
  };
  await recordSteps(steps, facts, connection, { ...host, emit });
  if (failed !== undefined) throw new DexsyncError(failed.code as ErrorCode, failed.message, { hint: failed.hint });
}
