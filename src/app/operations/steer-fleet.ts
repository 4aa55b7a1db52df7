import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import { decideRollout } from '#delivery/fleet/decide-rollout.js';
import { begunRollout, namedRollout, newestRollout } from '#delivery/fleet/find-rollout.js';
import { groupProblems, rolloutPolicies, signGroup } from '#delivery/fleet/rollout-reviews.js';
import { rolloutState } from '#delivery/fleet/rollout-state.js';
import { planName } from '#delivery/fleet/store-rollout.js';
import type { NewNote } from '#delivery/fleet/work-on-target.js';
import { nameInLedger } from '#delivery/planfile/plan-reference.js';
import { isSamePerson } from '#ledger/approvals.js';
import type { DocumentStore } from '#ledger/document-store.js';
import { readRollout, rolloutKeys, type StoredRollout } from '#ledger/stored-rollout.js';
import { fleetEnvironments } from '#project/config/select-environments.js';
import { authorWithoutLogin } from '#project/connection/author.js';
import type { Host, ProjectOptions } from '#project/host.js';
import type { Policies } from '#project/reviews/find-policies.js';
import { type CarryOnOptions, notBegun, resumeWith } from './apply-fleet.js';
import { findInLedger } from './given-rollout.js';
import { withFleets } from './open-fleets.js';
import {
  openRecord,
  type RolloutContext,
  type RolloutRecord,
  statusNow,
  withRolloutContext,
} from './rollout-record.js';

/** A fleet, or one of its rollouts by `ledger:NAME`. */
export interface FleetOptions extends Pick<ProjectOptions, 'config' | 'dataFolder' | 'reason'> {
  readonly fleet: string;
}

/** Shows the rollout of a fleet that was begun last, or the one that was saved last. Sends no request. */
export const fleetStatus = (options: FleetOptions, host: Host): Promise<RolloutStatus> =>
  withRollout(options, host, async (stored) => statusNow(stored, host));

/** Keeps a rollout from beginning other environments, also one that another process works on. */
export const pauseFleet = (options: FleetOptions, host: Host): Promise<RolloutStatus> =>
  withBegun(options, host, ({ note }) => note({ is: 'paused' }));

/** Ends a rollout. What was begun ends by itself; the plans of the others are removed. */
export const stopFleet = (options: FleetOptions, host: Host): Promise<RolloutStatus> =>
  withBegun(options, host, async ({ note }, { rollout, notes }, { stack }) => {
    await note({ is: 'stopped' });
    const left = rolloutState(rollout, notes).targets.filter(({ is }) => is === 'waiting' || is === 'deferred');
    for (const { environment } of left) await stack.plansOf(environment).remove(planName(rollout), 'no longer needed');
  });

/** Resumes a rollout, and tries again what failed or ended unknown, and the checks that refused a wave. */
export const retryFleet = (options: CarryOnOptions & FleetOptions, host: Host): Promise<RolloutStatus> =>
  resumeWith(options, host, async ({ note }, { rollout, notes }) => {
    const { targets, checks } = rolloutState(rollout, notes);
    for (const { environment, is } of targets)
      if (is === 'failed' || is === 'unknown' || is === 'gone') await note({ is: 'retried', environment });
    for (const [wave, { is }] of checks) if (is === 'refused') await note({ is: 'retried', wave });
  });

/** A verdict on a rollout. */
export interface ReviewFleetOptions extends FleetOptions {
  readonly verdict: 'approved' | 'rejected';
  /** The beginning of the digest of one group of a rollout that was not begun; all groups by default. */
  readonly group?: string | undefined;
  /** The file of the SSH key to sign with, where verdicts are signed; by default one that is allowed. */
  readonly key?: string | undefined;
}

/**
 * Records a verdict: on the groups of a rollout that was not begun, or on the wave that waits. A person's last one counts.
 * Throws USAGE if nothing waits for one.
 */
export const reviewFleet = (options: ReviewFleetOptions, host: Host): Promise<RolloutStatus> =>
  withRollout(options, host, async (stored, context) => {
    const record = openRecord(stored, context);
    const subjects = subjectsOf(stored, options, host);
    const isGroup = subjects.some(({ group }) => group !== undefined);
    const policies = isGroup ? await rolloutPolicies(stored.rollout, context.config, host) : undefined;
    for (const subject of subjects) await record.note(await signedNote(subject, stored, options, policies, host));
    const now = await again(stored, context);
    if (policies !== undefined) for (const one of await groupProblems(now, policies, host)) warnOf(one, host);
    else if (isGroup) warnOfOwnApproval(stored, options, host);
    return statusNow(now, host);
  });

/** A verdict, signed if it is about a group where verdicts are signed. */
async function signedNote(
  subject: Partial<NewNote>,
  stored: StoredRollout,
  { verdict, reason, key }: ReviewFleetOptions,
  policies: Policies | undefined,
  host: Host,
): Promise<NewNote> {
  const [policy] = policies?.policies ?? [];
  const given = { verdict, at: host.clock().toISOString(), ...omitUndefined({ reason }) };
  const signed =
    policy && subject.group !== undefined
      ? await signGroup(subject.group, stored, given, { policy, key }, host)
      : undefined;
  return { is: verdict, ...subject, ...omitUndefined({ signed }) };
}

function warnOf(problem: string, { emit }: Host): void {
  const message = `A verdict was recorded that does not count: ${problem}.`;
  emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'own-approval', message } });
}

function warnOfOwnApproval({ rollout }: StoredRollout, { verdict }: ReviewFleetOptions, host: Host): void {
  if (verdict !== 'approved' || !isSamePerson(authorWithoutLogin(host), rollout.author)) return;
  const message = 'You planned this rollout, so your approval does not count.';
  const hint = 'Somebody else has to approve it where approvals are asked for.';
  host.emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'own-approval', message, hint } });
}

function subjectsOf(stored: StoredRollout, { group }: ReviewFleetOptions, host: Host): Partial<NewNote>[] {
  const { rollout, notes, name } = stored;
  const state = rolloutState(rollout, notes);
  if (!state.isOpen) {
    const all = [...new Set(rollout.targets.map((target) => target.group))];
    const meant = all.filter((one) => group === undefined || one.startsWith(group));
    if (meant.length > 0) return meant.map((one) => ({ group: one }));
    throw new DexsyncError('UNKNOWN_NAME', `The rollout ${name} has no group "${group}".`, {
      hint: `It has ${all.map((one) => one.slice(0, 12)).join(', ')}.`,
    });
  }
  const decision = decideRollout(state, rollout.settings, { now: host.clock().getTime(), since: 0 });
  if (decision.is === 'ask' && decision.because !== 'failed') return [{ wave: decision.wave }];
  if (decision.is === 'wait' && decision.because === 'soak') return [{ wave: decision.wave }];
  throw new DexsyncError('USAGE', `Nothing in the rollout ${name} waits for a verdict.`, {
    hint: `\`dexsync fleet status ${rollout.fleet}\` shows what happens next; \`dexsync fleet pause\` pauses it.`,
  });
}

/** An environment that was in a fleet and is no longer in it. */
export interface FleetOrphan {
  readonly environment: string;
  /** The identity of its workspace. */
  readonly workspace: string;
  /** The last rollout that was begun there, and when it ended. */
  readonly rollout: string;
  readonly at: string;
}

/** The environments that left a fleet. */
export interface FleetOrphans {
  readonly fleet: string;
  readonly orphans: readonly FleetOrphan[];
}

/** Lists environments in which a rollout of the fleet was begun and that it no longer selects. Nothing happens to them. */
export const fleetOrphans = (options: FleetOptions, host: Host): Promise<FleetOrphans> =>
  withFleets(options, host, (opened) =>
    withRolloutContext(options.fleet, options, opened, async ({ stack }) => {
      const { fleet } = options;
      const now = new Set(await fleetEnvironments(fleet, opened.config, opened.host.clock()));
      const done = await doneInFleet(fleet, stack.rollouts);
      return { fleet, orphans: done.filter(({ environment }) => !now.has(environment)) };
    }),
  );

/** The last that was done in each environment. */
async function doneInFleet(fleet: string, rollouts: DocumentStore): Promise<FleetOrphan[]> {
  const found = new Map<string, FleetOrphan>();
  for (const key of await rolloutKeys(rollouts)) {
    const stored = key.fleet === fleet ? await readRollout(rollouts, key) : undefined;
    for (const done of stored === undefined ? [] : doneIn(stored)) found.set(done.environment, done);
  }
  return [...found.values()];
}

const doneIn = ({ name, rollout, notes }: StoredRollout): FleetOrphan[] =>
  rolloutState(rollout, notes).targets.flatMap(({ environment, workspace, tries, at }) =>
    tries > 0 && at !== undefined ? [{ environment, workspace, rollout: name, at }] : [],
  );

async function withBegun(
  options: FleetOptions,
  host: Host,
  change: (record: RolloutRecord, stored: StoredRollout, context: RolloutContext) => Promise<void>,
): Promise<RolloutStatus> {
  return withRollout(options, host, async (found, context) => {
    const { fleet } = found.rollout;
    const isNamed = options.fleet !== fleet;
    const stored = isNamed ? found : await begunRollout(fleet, context.stack.rollouts);
    if (isNamed && !rolloutState(found.rollout, found.notes).isOpen) throw notBegun(found);
    if (stored === undefined || isOver(statusNow(stored, host)))
      throw new DexsyncError('USAGE', `The fleet ${fleet} has no rollout to change.`, {
        hint: `\`dexsync fleet status ${fleet}\` shows the last one.`,
      });
    await change(openRecord(stored, context), stored, context);
    return statusNow(await again(stored, context), host);
  });
}

/** Whether nothing can be changed: it was stopped, or all environments are done. */
const isOver = ({ next, exitCode }: RolloutStatus): boolean =>
  next.is === 'stopped' || (next.is === 'ended' && exitCode === 0);

const again = async (stored: StoredRollout, { stack }: RolloutContext): Promise<StoredRollout> =>
  (await readRollout(stack.rollouts, stored)) ?? stored;

const withRollout = <T>(
  options: FleetOptions,
  outer: Host,
  use: (stored: StoredRollout, context: RolloutContext) => Promise<T>,
): Promise<T> =>
  withFleets(options, outer, async (opened) => {
    const name = nameInLedger(options.fleet);
    const fleet = name === undefined ? options.fleet : (await findInLedger(name, opened)).rollout.fleet;
    return withRolloutContext(fleet, options, opened, async (context) => {
      const { rollouts } = context.stack;
      return use(await (name === undefined ? newestRollout(fleet, rollouts) : namedRollout(name, rollouts)), context);
    });
  });
