import type { Side } from '#core/engine/compare.js';
import type { Observation } from '#core/model/observation.js';
import { hiddenFieldsOf } from '#service/collection.js';
import { type ObserveRequest, observe } from '#service/observe.js';
import type { Connection } from '../connection/connection.js';
import { createObserver } from '../connection/observer.js';
import type { Host } from '../host.js';

/** The state read from one of two workspaces. It has only names, and outlives the connection. */
export interface LiveSide extends Side, Pick<Observation, 'lookups' | 'lookupFacts'> {
  /** The name of the workspace. */
  readonly workspace: string;
  /** Requests that the reading took. */
  readonly requests: number;
}

/** Whether an object matters: for the others, children and references are not read. */
export type ObjectFilter = (kind: string, name: string) => boolean;

/** What to read of a workspace. */
export interface SideRequest extends Required<Pick<ObserveRequest, 'kinds' | 'settingsOf'>> {
  readonly matters: ObjectFilter;
}

/** Reads the live objects of some kinds completely: a list for each kind and lookup, and their children. */
export async function readSide(
  { kinds, matters, settingsOf }: SideRequest,
  connection: Connection,
  host: Host,
): Promise<LiveSide> {
  const { client, catalog, workspace, environment } = connection;
  const { observation } = await observe(
    {
      kinds,
      lookups: [],
      childrenOf: (kind, name) => (matters(kind, name) ? Object.keys(catalog.knownKind(kind).children) : undefined),
      alone: () => false,
      attributes: 'looked up',
      announces: 'children',
      settingsOf,
    },
    createObserver(connection, host),
  );
  return {
    ...observation,
    workspace: workspace.name,
    environment,
    hidden: (kind) => hiddenFieldsOf(client, kind, observation),
    requests: client.usage.used,
  };
}
