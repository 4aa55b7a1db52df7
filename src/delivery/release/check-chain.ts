import { DexsyncError } from '#base/errors.js';
import { shellWord } from '#base/shell-word.js';
import type { GuardFinding } from '#core/model/guards.js';
import type { Plan } from '#core/model/plan.js';
import type { Config } from '#project/config/load-config.js';
import { withReleases } from '#project/connection/releases-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import type { SavedPlan } from '../planfile/read-plan.js';
import { type Approving, refuseUnreviewed } from '../planfile/reviews.js';
import { fedStage, type Judged } from './fed-stage.js';

/** Whether somebody wants to change an environment of the chain without a release, and why. */
export interface Outside extends Pick<ProjectOptions, 'reason'> {
  readonly outsideChain?: boolean;
}

/** Throws OUTSIDE_CHAIN for an environment that releases are promoted to, unless somebody says why. */
export function refuseOutsideChain(
  config: Pick<Config, 'chain'>,
  environment: string,
  { outsideChain, reason }: Outside,
): void {
  const stage = fedStage(config, environment);
  if (stage === undefined || (outsideChain === true && reason !== undefined)) return;
  throw new DexsyncError(
    'OUTSIDE_CHAIN',
    `Environment "${environment}" gets releases of "${stage.source}" (\`promotion\`), and this plan comes from no release.`,
    {
      hint: `\`dexsync promote --to ${environment}\` plans the newest release for it. A hotfix needs \`--outside-chain --reason TEXT\`.`,
    },
  );
}

/** How many people must approve a plan: as many as asked for, and as its stage needs. */
const approvalsFor = (
  { promoted, environment }: Plan,
  config: Pick<Config, 'chain'>,
  asked: number | undefined,
): number | undefined => {
  const { approvals } = (promoted?.release === undefined ? undefined : fedStage(config, environment)) ?? {};
  return approvals === undefined ? asked : Math.max(approvals, asked ?? 0);
};

/**
 * Refuses a saved plan that its reviews do not allow, or the gates of its stage. Returns the options with the approvals
 * that the stage needs.
 */
export async function admitPlan<T extends Approving & Outside & Pick<ProjectOptions, 'config'>>(
  saved: SavedPlan,
  options: T,
  config: Config,
  host: Host,
): Promise<T> {
  const approving = { ...options, approvals: approvalsFor(saved.plan, config, options.approvals) };
  refuseUnreviewed(saved, approving);
  await refuseIfClosed(saved.plan, options, config, host);
  return approving;
}

/** Asks the gates again before a saved plan is applied: somebody may hold the release since. */
async function refuseIfClosed(
  { promoted, environment, guards }: Plan,
  options: Outside & Pick<ProjectOptions, 'config'>,
  config: Config,
  host: Host,
): Promise<void> {
  const stage = fedStage(config, environment);
  if (promoted?.release === undefined || promoted.environment !== stage?.source) {
    refuseOutsideChain(config, environment, options);
    return;
  }
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
