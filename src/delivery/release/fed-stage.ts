import { DexsyncError } from '#base/errors.js';
import type { ClosedGate } from '#core/engine/gates.js';
import type { Stage } from '#core/model/gate.js';
import type { Release } from '#core/model/release.js';
import type { Config } from '#project/config/load-config.js';
import { fleetEnvironments } from '#project/config/select-environments.js';

/** A stage of the chain that releases are promoted to. */
export interface FedStage extends Omit<Stage, 'environment'> {
  /** The environments that are meant: one, or all of a fleet. */
  readonly environments: readonly string[];
  /** Such as `environment "prod"`. */
  readonly title: string;
  /** The environment before it. */
  readonly before: string;
  /** The environment that the releases of the chain come from. */
  readonly source: string;
}

/** Finds the stage of an environment, alone or in a fleet; undefined for the source of the chain, and outside it. */
export async function fedStage(config: Config, environment: string, now: Date): Promise<FedStage | undefined> {
  const { chain = [] } = config;
  const own = chain.findIndex((stage) => stage.environment === environment);
  const title = `environment "${environment}"`;
  if (own >= 0) return stageAt(chain, own, [environment], title);
  const fleet = chain.at(-1)?.fleet;
  if (fleet === undefined || !(await membersOf(fleet, config, now)).includes(environment)) return undefined;
  return stageAt(chain, chain.length - 1, [environment], title);
}

/** The stage of a fleet; undefined if the chain does not end with it, or if nothing is left of it. Throws CONFIG_INVALID if an earlier stage is in it. */
export async function fleetStage(config: Config, fleet: string, now: Date): Promise<FedStage | undefined> {
  const { chain = [] } = config;
  if (chain.at(-1)?.fleet !== fleet) return undefined;
  const environments = await membersOf(fleet, config, now);
  if (environments.length === 0) return undefined;
  const earlier = chain.find(({ environment = '' }) => environments.includes(environment))?.environment;
  if (earlier === undefined) return stageAt(chain, chain.length - 1, environments, `fleet "${fleet}"`);
  const message = `Environment "${earlier}" is a stage of the chain, and in the fleet "${fleet}" at its end, too.`;
  const hint = `Leave it out of \`fleets.${fleet}\` with \`environments\` or \`where\`.`;
  throw new DexsyncError('CONFIG_INVALID', message, { hint });
}

/** The environments of a fleet; empty if nothing is left of it. */
const membersOf = (fleet: string, config: Config, now: Date): Promise<readonly string[]> =>
  fleetEnvironments(fleet, config, now).catch((error: unknown) => {
    if (error instanceof DexsyncError && error.code === 'UNKNOWN_NAME') return [];
    throw error;
  });

function stageAt(
  chain: readonly Stage[],
  at: number,
  environments: readonly string[],
  title: string,
): FedStage | undefined {
  const [stage, before, source] = [chain[at], chain[at - 1]?.environment, chain[0]?.environment];
  if (stage === undefined || before === undefined || source === undefined) return undefined;
  const { environment: _, ...rest } = stage;
  return { ...rest, environments, title, before, source };
}

/** A release, and the gates that it does not pass. */
export interface Judged {
  readonly release: Release;
  readonly closed: readonly ClosedGate[];
}

/** Lists the closed gates of a release, for the end of a sentence. */
export const closedText = ({ closed }: Pick<Judged, 'closed'>): string =>
  closed.map(({ gate, message }) => `gate "${gate}": ${message}`).join(' ');
