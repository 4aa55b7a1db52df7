import { DexsyncError } from '#base/errors.js';
import { copiesRemovedUnasked, takenOverUnasked } from '#core/model/plan.js';
import { namedRollout } from '#delivery/fleet/find-rollout.js';
import type { FleetPlan } from '#delivery/fleet/group-plans.js';
import { openRolloutFile } from '#delivery/fleet/rollout-file.js';
import { refuseUnreviewedGroups, rolloutPolicies } from '#delivery/fleet/rollout-reviews.js';
import { refuseUntrusted } from '#delivery/planfile/plan-errors.js';
import { nameInLedger } from '#delivery/planfile/plan-reference.js';
import type { Approving } from '#delivery/planfile/reviews.js';
import { warnOfPlanKey } from '#delivery/planfile/seal-plan.js';
import { checkSignature, planKey } from '#delivery/planfile/signature.js';
import { admitRollout } from '#delivery/release/check-chain.js';
import type { Rollout, StoredRollout } from '#ledger/stored-rollout.js';
import type { Config } from '#project/config/load-config.js';
import { fleetEnvironments, fleetNamed } from '#project/config/select-environments.js';
import { withRollouts } from '#project/connection/rollouts-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import type { OpenedFleets } from './open-fleets.js';
import { statusNow } from './rollout-record.js';

/** A rollout that somebody gave: with its plans if it comes from a file. */
export interface GivenRollout extends Pick<StoredRollout, 'name' | 'rollout'> {
  readonly plans?: () => AsyncIterable<string>;
}

/** Finds the rollout that `FILE` or `ledger:NAME` means. Throws PLAN_UNTRUSTED, and PLAN_OTHER_WORKSPACE for one of another stack. */
export async function findGiven(reference: string, opened: OpenedFleets): Promise<GivenRollout> {
  const { host, config } = opened;
  warnOfPlanKey(host);
  const name = nameInLedger(reference);
  if (name !== undefined) return checkSigned(await findInLedger(name, opened), reference, host);
  const { rollout, plans } = checkSigned(await openRolloutFile(reference, host), reference, host);
  fleetNamed(rollout.fleet, config);
  if (rollout.stack !== config.stack) throw otherStack(reference, rollout, config);
  return { name: rollout.id.slice(0, 8), rollout, plans };
}

const otherStack = (file: string, { stack }: Rollout, config: Config): DexsyncError =>
  new DexsyncError('PLAN_OTHER_WORKSPACE', `${file} is a rollout of stack "${stack}", and this is "${config.stack}".`);

/** Finds a rollout by its name alone, in the ledger of any fleet. */
export async function findInLedger(name: string, { host, config }: OpenedFleets): Promise<StoredRollout> {
  let missing: unknown = new DexsyncError('UNKNOWN_NAME', `The ledger has no rollout "${name}".`, {
    hint: 'The configuration has no fleets. Add one under `fleets` in sync.config.yaml.',
  });
  for (const fleet of Object.keys(config.fleets ?? {})) {
    try {
      const environments = await fleetEnvironments(fleet, config, host.clock());
      return await withRollouts(config, environments, host, ({ rollouts }) => namedRollout(name, rollouts));
    } catch (error) {
      if (!(error instanceof DexsyncError) || error.code !== 'UNKNOWN_NAME') throw error;
      missing = error;
    }
  }
  throw missing;
}

/** Throws PLAN_UNTRUSTED for a rollout that is not signed, where a key is set. */
function checkSigned<T extends { readonly rollout: Rollout }>(found: T, reference: string, host: Host): T {
  const { digest, hmac } = found.rollout;
  refuseUntrusted(checkSignature(digest, hmac, planKey(host.variables)), reference);
  return found;
}

/** Throws what the stage of its fleet or the reviews of its groups say against a rollout that was not begun. */
export async function refuseUnadmitted(
  { plans, rollout }: GivenRollout,
  stored: Pick<StoredRollout, 'name' | 'rollout' | 'notes'>,
  options: Approving & Pick<ProjectOptions, 'config'> & { readonly rollout: string },
  { config, host }: OpenedFleets,
): Promise<void> {
  const { fleet, release, targets, shown } = rollout;
  const environments = targets.map(({ environment }) => environment);
  const guards = (shown as unknown as FleetPlan).groups.flatMap(({ plan }) => plan.guards);
  const approvals =
    environments.length === 0
      ? options.approvals
      : await admitRollout({ fleet, release, environments, guards }, options, config, host);
  if (plans !== undefined && approvals !== undefined && approvals > 0) throw withoutReviews(options.rollout, approvals);
  const policies = await rolloutPolicies(rollout, config, host);
  await refuseUnreviewedGroups(stored, { approvals, policies }, host);
}

const withoutReviews = (file: string, approvals: number): DexsyncError =>
  new DexsyncError('USAGE', `${file} is a file, which has no reviews, and needs ${approvals} of each of its groups.`, {
    hint: 'Save the rollout with `dexsync fleet plan FLEET --out ledger:NAME`, where others can approve it.',
  });

/** Throws USAGE while another rollout of the fleet has not ended, and PLAN_STALE if a later one was begun. */
export function refuseSecond(
  { name: own, rollout: { at } }: Pick<StoredRollout, 'name' | 'rollout'>,
  before: StoredRollout | undefined,
  host: Host,
): void {
  if (before === undefined) return;
  const { fleet, name, next } = statusNow(before, host);
  if (before.rollout.at > at)
    throw new DexsyncError('PLAN_STALE', `The rollout ${own} was planned before ${name}, which was begun since.`, {
      hint: `Plan it again with \`dexsync fleet plan ${fleet}\`.`,
    });
  if (next.is === 'ended' || next.is === 'stopped') return;
  throw new DexsyncError('USAGE', `The rollout ${name} of the fleet ${fleet} has not ended.`, {
    hint: `\`dexsync fleet resume ${fleet}\` resumes it, \`dexsync fleet stop ${fleet}\` ends it.`,
  });
}

/** Throws CONFIRMATION_NEEDED for plans that adopt objects or remove copies without consent: nobody is asked for each. */
export function refuseAdoptions({ shown }: Rollout): void {
  const steps = (shown as unknown as FleetPlan).groups.flatMap(({ plan }) => plan.steps);
  const [[adopted], [copied]] = [takenOverUnasked(steps), copiesRemovedUnasked(steps)];
  const [what, option] =
    adopted !== undefined ? [`adopts ${adopted}`, '--adopt'] : [`removes a copy of ${copied}`, '--remove-copies'];
  if ((adopted ?? copied) === undefined) return;
  throw new DexsyncError('CONFIRMATION_NEEDED', `The rollout ${what}, and nobody has confirmed that.`, {
    hint: `Plan it again with \`${option}\`.`,
  });
}
