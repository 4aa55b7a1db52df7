import type { ClosedGate } from '#core/engine/gates.js';
import type { Stage } from '#core/model/gate.js';
import type { Release } from '#core/model/release.js';
import type { Config } from '#project/config/load-config.js';

/** A stage of the chain that releases are promoted to. */
export interface FedStage extends Stage {
  /** The environment before it. */
  readonly before: string;
  /** The environment that the releases of the chain come from. */
  readonly source: string;
}

/** Finds the stage of an environment; undefined for the source of the chain, and outside it. */
export function fedStage({ chain = [] }: Pick<Config, 'chain'>, environment: string): FedStage | undefined {
  const at = chain.findIndex((stage) => stage.environment === environment);
  const [stage, before, source] = [chain[at], chain[at - 1]?.environment, chain[0]?.environment];
  if (stage === undefined || before === undefined || source === undefined) return undefined;
  return { ...stage, before, source };
}

/** A release, and the gates that it does not pass. */
export interface Judged {
  readonly release: Release;
  readonly closed: readonly ClosedGate[];
}

/** Lists the closed gates of a release, for the end of a sentence. */
export const closedText = ({ closed }: Pick<Judged, 'closed'>): string =>
  closed.map(({ gate, message }) => `gate "${gate}": ${message}`).join(' ');
