import type { Secrets } from '#base/secrets.js';
import { isObject } from '#core/model/json.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import { checkWave } from '#delivery/fleet/check-wave.js';
import type { RolloutDecision } from '#delivery/fleet/decide-rollout.js';
import type { TargetState } from '#delivery/fleet/rollout-state.js';
import { rolloutStatus } from '#delivery/fleet/rollout-status.js';
import { type RolloutPorts, type RunOptions, runRollout } from '#delivery/fleet/run-rollout.js';
import type { Target } from '#delivery/fleet/run-targets.js';
import { type TargetPorts, workOnTarget } from '#delivery/fleet/work-on-target.js';
import { withNotifier } from '#delivery/notify/notifier.js';
import { rolloutPlace, seenInRollout } from '#delivery/notify/seen.js';
import type { Rollout, StoredRollout } from '#ledger/stored-rollout.js';
import { resolveEnvironment } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { fleetNamed } from '#project/config/select-environments.js';
import type { Host } from '#project/host.js';
import { applyTarget, type TargetOptions } from './apply-target.js';
import { emitFleet, type RolloutContext, type RolloutRecord } from './rollout-record.js';
import { targetsIn } from './select-environments.js';

/** A rollout that this process works on. */
export interface OpenRollout extends Pick<RolloutContext, 'config' | 'host'> {
  readonly stored: StoredRollout;
  readonly record: RolloutRecord;
  /** Throws if another process works on it. */
  readonly mayGoOn: () => Promise<void>;
}

/** Works on a rollout as far as it may, and returns what happens next. `work` works on one of its environments. */
export async function workOnRollout(
  { stored: { rollout, name }, record, config, host, mayGoOn }: OpenRollout,
  options: Omit<RunOptions, 'settings' | 'sessions'>,
  work: RolloutPorts['work'],
): Promise<RolloutDecision> {
  const { environments: names, where } = fleetNamed(rollout.fleet, config);
  const sessions = await targetsIn(config, { names, where }, host);
  reportAdded(rollout, sessions, host);
  const { clock, signal } = host;
  return runRollout(
    { ...options, settings: rollout.settings, sessions },
    {
      ...{ read: record.read, note: record.note, mayGoOn, clock, signal, work },
      async check(wave, state) {
        const about = { name, rollout, folder: config.folder, variables: host.variables, signal, clock };
        return passwordsOf(sessions, config, host).redactValue(await checkWave(wave, state, about));
      },
      emit: emitFleet(host),
    },
  );
}

/** Reports how far a rollout is, and what happens next, also to those who are notified. */
export async function reportStatus(
  { stored, record, config, host }: Pick<OpenRollout, 'stored' | 'record' | 'config' | 'host'>,
  decision: RolloutDecision,
): Promise<RolloutStatus> {
  // A person who interrupts does not wait for the ledger.
  const state = await record.read(host.signal.aborted ? Number.POSITIVE_INFINITY : 0);
  const status = rolloutStatus(stored, state, decision);
  emitFleet(host)({ is: 'status', ...status });
  if (!host.signal.aborted)
    await withNotifier(config, host, ({ see }) => see(rolloutPlace(status), seenInRollout(status)));
  return status;
}

/** Works on environments of a rollout in this process. */
export function workHere(
  { stored: { rollout }, record, config, host, mayGoOn }: OpenRollout,
  options: Omit<TargetOptions, 'rollout'>,
): (target: TargetState) => Promise<void> {
  const ports: TargetPorts = {
    ...{ read: record.read, note: record.note, mayGoOn, signal: host.signal },
    apply: (target) => applyTarget(target, { ...options, rollout }, config, host),
    emit: emitFleet(host),
  };
  return (target) => workOnTarget(target, rollout.settings, ports);
}

/** The passwords that a check finds in its variables, and may write. */
function passwordsOf(targets: readonly Target[], config: Config, host: Host): Secrets {
  const passwords = targets.flatMap(({ name }) => {
    const environment = resolveEnvironment(config, name, host.variables);
    return environment.workspace === 'remote' && 'value' in environment.password ? [environment.password.value] : [];
  });
  const secrets = host.secrets.branch();
  secrets.add(...passwords);
  return secrets;
}

/** Names environments that joined the fleet since: nothing was planned for them. */
function reportAdded({ targets, shown, fleet }: Rollout, now: readonly Target[], host: Host): void {
  const planned = new Set([...targets.map(({ environment }) => environment), ...environmentsIn(shown)]);
  const added = now.flatMap(({ name }) => (planned.has(name) ? [] : [name]));
  if (added.length === 0) return;
  const message = `The fleet ${fleet} has environments that this rollout was not planned for: ${added.join(', ')}.`;
  const hint = 'Nothing is done there. Plan them with the next rollout.';
  host.emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'fleet-added', message, hint } });
}

/** The environments that a plan of a fleet showed without changes or as problems. */
function environmentsIn({ unchanged = [], problems = [] }: Rollout['shown']): string[] {
  const named = [unchanged, problems].flatMap((list) => (Array.isArray(list) ? list : []));
  return named.map((one) => (isObject(one) ? String(one.environment) : String(one)));
}
