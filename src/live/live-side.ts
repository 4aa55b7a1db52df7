import type { Connection } from '../connection/connection.js';
import type { Side } from '../engine/compare.js';
import type { Host } from '../host.js';
import type { Kind } from '../model/kind.js';
import type { Observation } from '../model/observation.js';
import { capabilityOf } from '../service/collection.js';
import { observe } from '../service/observe.js';

/** What was read of one of two workspaces. It holds names alone, and outlives the connection. */
export interface LiveSide extends Side, Pick<Observation, 'lookups' | 'lookupFacts'> {
  /** The name of the workspace. */
  readonly workspace: string;
  /** Requests that it took. */
  readonly requests: number;
}

/** Which objects matter: of the others, children and what they refer to are not read. */
export type Mattering = (kind: string, name: string) => 'yes' | 'no';

/** Reads the live objects of some kinds as all that they are, with one list for each kind and lookup, and their children. */
export async function readSide(
  kinds: readonly Kind[],
  matters: Mattering,
  { client, catalog: { kindNamed, lookupNamed, knownKind }, workspace, environment }: Connection,
  host: Host,
): Promise<LiveSide> {
  const { observation } = await observe(
    {
      kinds,
      lookups: [],
      childrenOf: (kind, name) => (matters(kind, name) === 'yes' ? Object.keys(knownKind(kind).children) : undefined),
      alone: () => false,
      attributes: 'looked up',
    },
    { reader: client, kindNamed, lookupNamed, onRead: (what, count) => host.emit({ type: 'read', what, count }) },
  );
  return {
    ...observation,
    workspace: workspace.name,
    environment,
    hidden: (kind) => capabilityOf(client, kind, observation).hidden ?? [],
    requests: client.usage.used,
  };
}
