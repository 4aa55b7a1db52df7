import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { releaseName } from '#core/model/release.js';
import type { PassedRelease } from '#delivery/release/chain.js';
import { closedText, type FedStage, fedStage, fleetStage, type Judged } from '#delivery/release/fed-stage.js';
import { findRelease } from '#delivery/release/find-release.js';
import { promotionsIn } from '#delivery/release/promotions.js';
import type { Config } from '#project/config/load-config.js';
import { withJournals } from '#project/connection/environment-journals.js';
import type { EnvironmentPair } from '#project/connection/environment-pair.js';
import { withReleases } from '#project/connection/releases-of.js';
import type { Host, ProjectOptions } from '#project/host.js';

/** The two environments of a promotion, and which release goes from one to the other. */
export interface ReleaseChoice extends Pick<EnvironmentPair, 'to'>, Partial<Pick<EnvironmentPair, 'from'>> {
  /**
   * In place of `from`, what a release has: `dev/r41`, `r41` if one source has it, its other name, or `previous` for the
   * one that the target had before its own. Without both, the newest release that the gates of the chain let through.
   */
  readonly release?: string;
  /** Gates that the release need not pass; needs a reason. */
  readonly override?: readonly string[];
}

/**
 * Finds the release to promote; undefined if an environment is promoted. The chain has gates before its releases, and its
 * source is released before it is promoted.
 */
export async function releaseToPromote(
  { from, to, release: reference, override = [], ...options }: ReleaseChoice & ProjectOptions,
  config: Config,
  host: Host,
): Promise<Judged | undefined> {
  const stage = await fedStage(config, to, host.clock());
  if (reference === undefined && (stage === undefined || (from !== undefined && from !== stage.source)))
    return undefined;
  if (reference === undefined && from !== undefined) await releaseNow({ ...options, environment: from }, host);
  const { chooseRelease, passGates } = await import('#delivery/release/chain.js');
  return withReleases({ ...options, environment: to }, host, async ({ releases }) => {
    const place = { config, releases, host };
    if (reference === undefined) {
      const { waiting, ...chosen } = await chooseRelease(stage as FedStage, override, place);
      emitWaiting(waiting, `environment "${to}"`, host);
      return chosen;
    }
    const name = reference === PREVIOUS ? await previousRelease(config, to, host) : reference;
    const release = await findRelease(name, releases);
    return stage?.source === release.source ? passGates(release, stage, override, place) : { release, closed: [] };
  });
}

/** What people write to go back by one release. */
const PREVIOUS = 'previous';

/** The release that an environment had before the one that it has now: that of the chain's source, `dev/r40`. */
async function previousRelease(config: Config, environment: string, host: Host): Promise<string> {
  const names = await withJournals(config, environment, host, async ({ journals }) => {
    const all: string[] = [];
    for await (const { name } of promotionsIn(journals)) all.push(name);
    return all;
  });
  // Going back twice leads two releases back, and not to the one that was left.
  const previous = names[names.lastIndexOf(names[0] ?? '') + 1];
  if (previous !== undefined) return previous;
  throw new DexsyncError('USAGE', `Environment "${environment}" had no release before the one that it has.`, {
    hint: `\`dexsync status\` shows what it has, \`dexsync release list\` all releases.`,
  });
}

/** Releases the source of the chain, unless nothing changed there. */
async function releaseNow(options: ProjectOptions, host: Host): Promise<void> {
  const { createRelease } = await import('./create-release.js');
  await createRelease(options, host);
}

function emitWaiting(waiting: readonly Judged[], where: string, host: Host): void {
  for (const judged of waiting) {
    const message = `${releaseName(judged.release)} does not go to ${where} yet: ${closedText(judged)}`;
    host.emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'release-waits', message } });
  }
}

/** A fleet to promote to. */
export interface FleetChoice
  extends Pick<ReleaseChoice, 'release' | 'override'>,
    Pick<ProjectOptions, 'config' | 'dataFolder'> {
  readonly fleet: string;
}

/**
 * Finds the release that goes to all environments of a fleet at the end of the chain; undefined for another fleet, for a
 * release of another source, and for `previous`, which each environment has its own of. Throws GATES_CLOSED if none may
 * have it.
 */
export async function releaseForFleet(
  { fleet, release: reference, override = [], ...options }: FleetChoice,
  config: Config,
  host: Host,
): Promise<PassedRelease | undefined> {
  const stage = reference === PREVIOUS ? undefined : await fleetStage(config, fleet, host.clock());
  if (stage === undefined) return undefined;
  const { chooseRelease, passGates } = await import('#delivery/release/chain.js');
  return withReleases(
    { ...options, ...omitUndefined({ environment: stage.environments[0] }) },
    host,
    async ({ releases }) => {
      const place = { config, releases, host };
      if (reference !== undefined) {
        const release = await findRelease(reference, releases);
        return release.source === stage.source ? passGates(release, stage, override, place) : undefined;
      }
      const { waiting, ...chosen } = await chooseRelease(stage, override, place);
      emitWaiting(waiting, stage.title, host);
      return chosen;
    },
  );
}
