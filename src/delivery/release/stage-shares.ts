import { DexsyncError } from '#base/errors.js';
import type { Config } from '#project/config/load-config.js';
import { type EnvironmentJournals, withJournals } from '#project/connection/environment-journals.js';
import { withReleases } from '#project/connection/releases-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { judgeNewest } from './chain.js';
import { fedStage, fleetStage, type Judged } from './fed-stage.js';
import { promotionsIn } from './promotions.js';

/** How many of the environments of a stage have all of a release. */
export interface StageShare {
  /** An environment of the chain, or the fleet at its end. */
  readonly stage: string;
  readonly environments: number;
  readonly of: number;
}

/** Finds out which stages of the chain have which releases, by the name of the release. Sends no request. */
export async function stageShares(config: Config, host: Host): Promise<ReadonlyMap<string, readonly StageShare[]>> {
  const found = new Map<string, StageShare[]>();
  for (const { environment, fleet } of config.chain ?? []) {
    const fed =
      fleet === undefined ? fedStage(config, environment ?? '', host.clock()) : fleetStage(config, fleet, host.clock());
    const names = (await fed)?.environments ?? [];
    const there = await Promise.all(names.map((name) => releaseIn(name, config, host)));
    for (const [release, environments] of countEach(there)) {
      const share = { stage: fleet ?? environment ?? '', environments, of: names.length };
      found.set(release, [...(found.get(release) ?? []), share]);
    }
  }
  return found;
}

/** The release that was promoted last to an environment; undefined if a part of it is left, or if nothing is known. */
async function releaseIn(environment: string, config: Config, host: Host): Promise<string | undefined> {
  const read = async ({ journals }: EnvironmentJournals): Promise<string | undefined> => {
    const newest = (await promotionsIn(journals).next()).value;
    return newest?.open === 0 && !newest.partial ? newest.name : undefined;
  };
  return withJournals(config, environment, host, read, async () => undefined).catch((error: unknown) => {
    if (!(error instanceof DexsyncError)) throw error;
    return undefined;
  });
}

/** How often each name occurs. */
function countEach(names: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** How many environments of a fleet have all of which release. */
export interface FleetShares {
  readonly fleet: string;
  readonly environments: number;
  readonly releases: readonly { readonly name: string; readonly environments: number }[];
}

/** Counts the releases of the environments of a fleet; undefined for one that has none, or not all of it. */
export const fleetShares = (fleet: string, releases: readonly (string | undefined)[]): FleetShares => ({
  ...{ fleet, environments: releases.length },
  releases: [...countEach(releases)].map(([name, environments]) => ({ name, environments })),
});

/** The fleet at the end of the chain, and what waits for some of its environments. */
interface JudgedFleet {
  readonly fleet: string;
  readonly environments: readonly string[];
  readonly next: ReadonlyMap<string, Judged>;
}

/**
 * Judges the newest release for those of the named environments that are in the fleet at the end of the chain, at once,
 * since they share what is known of the stage before. Undefined if there is none.
 */
export async function judgeFleet(
  names: readonly string[],
  options: Pick<ProjectOptions, 'config' | 'dataFolder'>,
  config: Config,
  host: Host,
): Promise<JudgedFleet | undefined> {
  const { fleet } = config.chain?.at(-1) ?? {};
  const stage = fleet === undefined ? undefined : await fleetStage(config, fleet, host.clock());
  if (fleet === undefined || stage === undefined) return undefined;
  const environments = stage.environments.filter((name) => names.includes(name));
  const [environment] = environments;
  if (environment === undefined) return undefined;
  const next = await withReleases({ ...options, environment }, host, ({ releases }) =>
    judgeNewest({ ...stage, environments }, { config, releases, host }),
  );
  return { fleet, environments: stage.environments, next };
}
