import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { releaseName } from '#core/model/release.js';
import { closedText, type FedStage, fedStage, type Judged } from '#delivery/release/fed-stage.js';
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
  const stage = fedStage(config, to);
  if (reference === undefined && (stage === undefined || (from !== undefined && from !== stage.source)))
    return undefined;
  if (reference === undefined && from !== undefined) await releaseNow({ ...options, environment: from }, host);
  const { chooseRelease, passGates } = await import('#delivery/release/chain.js');
  return withReleases({ ...options, environment: to }, host, async ({ releases }) => {
    const place = { config, releases, host };
    if (reference === undefined) {
      const { waiting, ...chosen } = await chooseRelease(stage as FedStage, override, place);
      for (const one of waiting) host.emit({ type: 'diagnostic', diagnostic: waitingFinding(one, to) });
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

const waitingFinding = (judged: Judged, to: string): Diagnostic => ({
  severity: 'warning',
  code: 'release-waits',
  message: `${releaseName(judged.release)} does not go to environment "${to}" yet: ${closedText(judged)}`,
});
