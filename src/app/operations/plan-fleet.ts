import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { groupBy } from '#core/model/group-by.js';
import { hasWrites, type Plan } from '#core/model/plan.js';
import { releaseName } from '#core/model/release.js';
import { type FleetPlan, PlanCollector, type TargetPlan } from '#delivery/fleet/group-plans.js';
import { AT_ONCE, runTargets, type Target } from '#delivery/fleet/run-targets.js';
import { transitionOf } from '#delivery/fleet/transition.js';
import type { Planned } from '#delivery/planning/plan-manifests.js';
import type { PassedRelease } from '#delivery/release/chain.js';
import type { FleetSettings } from '#project/config/fleet-schema.js';
import type { Config } from '#project/config/load-config.js';
import { fleetNamed } from '#project/config/select-environments.js';
import type { Host } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { withOwnSecrets } from '#project/own-secrets.js';
import { openConfig } from '#project/project.js';
import { type PlanOptions, planWith } from './plan.js';
import { noReason, type PromoteOptions, promoteWith } from './promote.js';
import { releaseForFleet } from './release-to-promote.js';
import { targetsIn } from './select-environments.js';

/** A fleet of the configuration, and how to plan in its environments. */
export interface PlanFleetOptions extends Omit<PlanOptions, 'environment' | 'changes' | 'previewPages'> {
  readonly fleet: string;
  /**
   * The release to promote to all of them, instead of what the manifests say. At the end of the chain, the newest one that
   * its gates let through by default, unless `files` are given.
   */
  readonly release?: string;
  /** Gates of the chain that the release need not pass; needs a reason. */
  readonly override?: readonly string[];
  /** Runs after each environment; `of`: how many there are. */
  readonly onPlanned?: (of: number) => void;
  /** Receives each plan that changes something, or brings a release of the chain; `group` is the digest of its changes. */
  readonly onPlan?: (plan: Plan, group: string) => Promise<void>;
}

/**
 * Plans in all environments of a fleet, side by side, and puts equal plans together. Sends no write. An environment that
 * cannot be planned is a problem of the result. Throws UNKNOWN_NAME if there is no such fleet, or no environment in it.
 */
export const planFleet = (options: PlanFleetOptions, outer: Host): Promise<FleetPlan> =>
  withSharing(outer, (host) => planTargets(options, host));

async function planTargets(given: PlanFleetOptions, host: Host): Promise<FleetPlan> {
  const { fleet, onPlanned, ...asked } = given;
  const config = await openConfig(asked, host);
  const settings = fleetNamed(fleet, config);
  const { environments: names, where, concurrency: atOnce } = settings;
  const targets = await targetsIn(config, { names, where }, host);
  const chosen = await chooseFor(given, config, host);
  const release = chosen === undefined ? asked.release : releaseName(chosen.release);
  const options = { ...asked, ...omitUndefined({ release }), chosen };
  const collector = new PlanCollector();
  const { signal } = host;
  await runTargets(targets, { signal, atOnce }, async (environment) => {
    const target = await withOwnSecrets(host, (own) => planTarget({ ...options, environment }, config, own));
    collector.add(target);
    onPlanned?.(targets.length);
  });
  if (signal.aborted) throw new DexsyncError('INTERRUPTED', 'Interrupted before all environments were planned.');
  return {
    ...{ stack: config.stack, fleet, ...omitUndefined({ release }), targets: targets.length },
    ...usersOf(targets, settings),
    ...collector.inOrder(
      targets.map(({ name }) => name),
      settings,
    ),
  };
}

/** Chooses the release for a fleet at the end of the chain. Throws USAGE for gates that cannot be overridden. */
async function chooseFor(options: PlanFleetOptions, config: Config, host: Host): Promise<PassedRelease | undefined> {
  const { fleet, release, override = [], files, reason } = options;
  const isOverriding = override.length > 0;
  if (isOverriding && reason === undefined) throw noReason();
  const chosen = files === undefined ? await releaseForFleet(options, config, host) : undefined;
  if (chosen !== undefined || !isOverriding || release !== undefined) return chosen;
  throw new DexsyncError('USAGE', `The fleet ${fleet} is planned without a release, so no gate can be overridden.`, {
    hint: 'Leave out `--override`.',
  });
}

/** How many users log in, how many of them at once, and to how many environments the busiest one. */
function usersOf(
  targets: readonly Target[],
  { concurrency = AT_ONCE }: Pick<FleetSettings, 'concurrency'>,
): Pick<FleetPlan, 'sessions' | 'atOnce' | 'inTurn'> {
  const sizes = [...groupBy(targets, ({ session }) => session).values()].map(({ length }) => length);
  return { sessions: sizes.length, atOnce: Math.min(sizes.length, concurrency), inTurn: Math.max(...sizes) };
}

interface TargetOptions extends Omit<PlanFleetOptions, 'fleet'> {
  readonly environment: string;
  readonly chosen: PassedRelease | undefined;
}

async function planTarget(
  { release, override, chosen, onPlan, ...options }: TargetOptions,
  config: Config,
  host: Host,
): Promise<TargetPlan> {
  const { environment } = options;
  const findings: Diagnostic[] = [];
  const emit: Host['emit'] = (event) => {
    if (event.type === 'diagnostic' && event.diagnostic.severity === 'error') findings.push(event.diagnostic);
  };
  try {
    const refusal = chosen?.kept.get(environment);
    if (refusal !== undefined) throw refusal;
    const use = async ({ plan, input, spendable }: Planned) => {
      const transition = transitionOf(plan, input.manifests, config.environments[environment]?.row?.values ?? []);
      const isNew = chosen !== undefined && !chosen.having.has(environment);
      if (isNew || hasWrites(plan)) await onPlan?.(plan, transition.digest);
      return { environment, transition, spendable };
    };
    const own = { ...host, emit };
    return release === undefined
      ? await planWith(options, own, use)
      : await promoteWith(
          { ...promotionOf(options), ...omitUndefined({ override }), release, to: environment },
          own,
          use,
        );
  } catch (error) {
    if (!(error instanceof DexsyncError) || error.code === 'INTERRUPTED') throw error;
    const { code, message, hint } = error;
    return { environment, problem: { code, message, ...omitUndefined({ hint }), findings } };
  }
}

/** The options of a promotion, which deletes nothing unless `prune` asks for it, and reads no files of its own. */
const promotionOf = ({ environment: _, files: __, prune, ...options }: PlanOptions): Omit<PromoteOptions, 'to'> => ({
  ...options,
  ...(prune === 'yes' ? { prune: true } : {}),
});
