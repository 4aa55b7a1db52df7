import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import type { GuardFinding } from '#core/model/guards.js';
import type { Plan } from '#core/model/plan.js';
import type { Config } from '#project/config/load-config.js';
import { withPlans } from '#project/connection/plans-of.js';
import { withReleases } from '#project/connection/releases-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { findPolicies } from '#project/reviews/find-policies.js';
import type { PlanPlace } from '../planfile/plan-text.js';
import { plannedFrom } from '../planfile/plan-verdicts.js';
import type { SavedPlan } from '../planfile/read-plan.js';
import { type Approving, refuseUnreviewed } from '../planfile/reviews.js';
import { usablePlans } from '../planfile/waiting-plans.js';
import { type FedStage, fedStage, fleetStage, type Judged } from './fed-stage.js';

/** Whether somebody wants to change an environment of the chain without a release, and why. */
export interface Outside extends Pick<ProjectOptions, 'reason'> {
  readonly outsideChain?: boolean;
}

/** Throws OUTSIDE_CHAIN for an environment that releases are promoted to, unless somebody says why. */
export async function refuseOutsideChain(
  config: Config,
  environment: string,
  { outsideChain, reason }: Outside,
  { clock }: Pick<Host, 'clock'>,
): Promise<void> {
  const stage = await fedStage(config, environment, clock());
  if (stage === undefined || (outsideChain === true && reason !== undefined)) return;
  throw outsideOf(`Environment "${environment}"`, stage, {
    hint: `\`dexsync promote --to ${environment}\` plans the newest release for it. A hotfix needs \`--outside-chain --reason TEXT\`.`,
  });
}

/** OUTSIDE_CHAIN: what is to be applied comes from no release of the chain. */
const outsideOf = (what: string, { source }: FedStage, advice: { readonly hint: string }): DexsyncError =>
  new DexsyncError(
    'OUTSIDE_CHAIN',
    `${what} gets releases of "${source}" (\`promotion\`), and this plan comes from no release.`,
    advice,
  );

/** How many people must approve what brings a release to a stage: as many as asked for, and as it needs. */
const approvalsFor = (stage: FedStage | undefined, asked = 0): number => Math.max(stage?.approvals ?? 0, asked);

/**
 * Refuses a saved plan that its reviews do not allow in the environment that it is applied to, or the gates of its stage. Returns the options with the approvals
 * that the stage needs.
 */
export async function admitPlan<T extends Approving & Outside & Pick<ProjectOptions, 'config'>>(
  saved: SavedPlan,
  target: string,
  options: T,
  config: Config,
  host: Host,
): Promise<T> {
  const { environment, promoted } = saved.plan;
  const stage = await fedStage(config, environment, host.clock());
  const approvals = approvalsFor(promoted?.release === undefined ? undefined : stage, options.approvals);
  const policies = await findPolicies(config, [...new Set([target, environment])], plannedFrom(saved.plan), host);
  const approving = { ...options, approvals, policies };
  await refuseUnreviewed(saved, approving, () => plansIn({ ...options, environment: target }, host), host);
  await refuseIfClosed(saved.plan, stage, options, config, host);
  return approving;
}

const plansIn = (place: PlanPlace, host: Host): Promise<readonly SavedPlan[]> =>
  withPlans(place, host, ({ plans, config }) => usablePlans(plans, config.catalog, host));

/** What a rollout brings to its fleet. */
interface RolloutOfRelease {
  readonly fleet: string;
  readonly release?: string | undefined;
  readonly environments: readonly string[];
  /** The guards of its plans. */
  readonly guards: Plan['guards'];
}

/**
 * Refuses a rollout that the gates of its fleet's stage do not let through, and one of no release. Returns how many people
 * must approve each of its groups.
 */
export async function admitRollout(
  { fleet, release: name, environments, guards }: RolloutOfRelease,
  options: Approving & Pick<ProjectOptions, 'config'>,
  config: Config,
  host: Host,
): Promise<number> {
  const stage = await fleetStage(config, fleet, host.clock());
  if (stage === undefined) return approvalsFor(stage, options.approvals);
  const outside = outsideOf(`The fleet "${fleet}"`, stage, {
    hint: `\`dexsync fleet plan ${fleet}\` plans the newest release for it. A hotfix of one environment is \`dexsync apply --env NAME --outside-chain --reason TEXT\`.`,
  });
  if (name === undefined) throw outside;
  const [{ passGates }, { findRelease }] = await Promise.all([import('./chain.js'), import('./find-release.js')]);
  await withReleases({ ...options, ...omitUndefined({ environment: environments[0] }) }, host, async ({ releases }) => {
    const release = await findRelease(name, releases);
    if (release.source !== stage.source) throw outside;
    await passGates(release, { ...stage, environments }, overriddenIn(guards), { config, releases, host });
  });
  return approvalsFor(stage, options.approvals);
}

/** Asks the gates again before a saved plan is applied: somebody may hold the release since. */
async function refuseIfClosed(
  { promoted, environment, guards }: Plan,
  stage: FedStage | undefined,
  options: Outside & Pick<ProjectOptions, 'config'>,
  config: Config,
  host: Host,
): Promise<void> {
  if (promoted?.release === undefined || promoted.environment !== stage?.source)
    return refuseOutsideChain(config, environment, options, host);
  const { release: name } = promoted;
  const [{ passGates }, { findRelease }] = await Promise.all([import('./chain.js'), import('./find-release.js')]);
  await withReleases({ ...options, environment }, host, async ({ releases }) =>
    passGates(await findRelease(name, releases), stage, overriddenIn(guards), { config, releases, host }),
  );
}

/** The gates that a plan overrides. */
export const overriddenIn = (guards: Plan['guards']): string[] =>
  guards.flatMap(({ guard, rule }) => (guard === 'gate' ? (rule ?? []) : []));

/** What a plan says of the gates that it overrides. */
export const gateFindings = ({ closed }: Pick<Judged, 'closed'>): GuardFinding[] =>
  closed.map(({ gate, message }) => ({
    ...{ guard: 'gate', rule: gate, severity: 'warn', addresses: [] },
    message: `Gate "${gate}" is overridden: ${message}`,
    override: `--override ${shellWord(gate)}`,
  }));
