import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Plan } from '#core/model/plan.js';
import type { Event } from '#core/stream/event.js';
import type { TargetState } from '#delivery/fleet/rollout-state.js';
import { planName } from '#delivery/fleet/store-rollout.js';
import { endOfApply, endOfError, type Failure, type TargetEnd } from '#delivery/fleet/target-result.js';
import { readUnlessApplied } from '#delivery/planfile/applied-name.js';
import { ledgerReference } from '#delivery/planfile/plan-reference.js';
import { rereadApplied } from '#delivery/planfile/reread-plan.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import type { Rollout } from '#ledger/stored-rollout.js';
import type { Config } from '#project/config/load-config.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { withOwnSecrets } from '#project/own-secrets.js';
import type { ApplyOptions } from './apply.js';
import { applyReviewedAs } from './apply-reviewed.js';
import { applySavedAs } from './apply-saved.js';

/** How the environments of a rollout are applied. */
export interface TargetOptions extends Pick<ApplyOptions, 'reason' | 'manual' | 'parallelism'> {
  readonly rollout: Rollout;
}

/**
 * Applies the plan of an environment as any saved plan, and reads afterwards what it touched. One that was begun before
 * is planned again, and continues if that changes what is left of the plan. Returns undefined if it was interrupted.
 */
export const applyTarget = (
  target: Pick<TargetState, 'environment'>,
  options: TargetOptions,
  config: Config,
  outer: Host,
): Promise<TargetEnd | undefined> => withOwnSecrets(outer, (host) => applyWith(target, options, config, host));

async function applyWith(
  { environment }: Pick<TargetState, 'environment'>,
  { rollout, ...options }: TargetOptions,
  config: Config,
  outer: Host,
): Promise<TargetEnd | undefined> {
  const file = ledgerReference(planName(rollout));
  const seen = watchEvents(environment, outer);
  const { host } = seen;
  const target = rollout.targets.find((one) => one.environment === environment);
  const group = target && { subject: target.group, rollout: rollout.digest, plan: target.plan };
  const own = {
    ...omitUndefined({ ...options, group }),
    ...{ environment, confirm: async () => true, attended: false },
  };
  try {
    const summary = await applySavedAs({ ...own, file, keep: 'in part' }, host).catch((error: unknown) => {
      if (!(error instanceof DexsyncError) || error.code !== 'PLAN_APPLIED') throw error;
      return applyReviewedAs({ ...(rollout.planning as PlanningOptions), ...own, reviewed: [file] }, host);
    });
    const end = endOfApply(summary, seen);
    if (end?.is !== 'done') return end;
    const plan = seen.plan() ?? (await readUnlessApplied(file, host, { environment })).plan;
    return await confirmedEnd(plan, environment, config, host);
  } catch (error) {
    const end = endOfError(error);
    // The hints of a saved plan are about one environment.
    return end?.code?.startsWith('PLAN_')
      ? { ...end, hint: `Plan it again with \`dexsync fleet plan ${rollout.fleet}\`.` }
      : end;
  }
}

/** Passes events on with their environment, and remembers what the end of an environment depends on. */
function watchEvents(environment: string, outer: Host) {
  let plan: Plan | undefined;
  let reset: string | null = null;
  let isSpent = false;
  let failure: Failure | undefined;
  const emit = (event: Event): void => {
    if (event.type === 'plan') ({ plan, reset } = event);
    if (event.type === 'diagnostic' && event.diagnostic.code === 'quota') isSpent = true;
    if (event.type === 'step' && (event.status.is === 'failed' || event.status.is === 'unknown'))
      failure ??= { address: event.address, ...event.status };
    outer.emit({ type: 'target', environment, event });
  };
  return {
    // Nobody waits for an environment that others use: it is tried again later.
    host: { ...outer, emit, patience: 0, waitForQuota: false },
    plan: () => plan,
    quota: () => (isSpent ? { until: reset ?? undefined } : undefined),
    failure: () => failure,
  };
}

/** Done is what a read afterwards shows, too. */
async function confirmedEnd(
  plan: Plan,
  environment: string,
  config: Config,
  host: Host,
): Promise<TargetEnd | undefined> {
  try {
    const unsettled = await withConnection(config, { environment, access: 'read' }, host, (connection) =>
      rereadApplied(plan, connection, host),
    );
    const [first] = unsettled;
    if (first === undefined) return { is: 'done' };
    const more = unsettled.length === 1 ? '' : `, and ${unsettled.length - 1} more`;
    const message = `All steps were done, but a read afterwards shows otherwise: ${first.address} ${first.message}${more}.`;
    return { is: 'failed', code: 'OBJECT_CHANGED', message };
  } catch (error) {
    const end = endOfError(error);
    return (
      end && { ...end, is: 'unknown', message: `All steps were done, but the read afterwards failed: ${end.message}` }
    );
  }
}
