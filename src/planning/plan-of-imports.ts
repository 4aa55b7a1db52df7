import type { Connection } from '../connection/connection.js';
import type { Bound } from '../engine/bind.js';
import type { Guarding } from '../engine/guards/guard.js';
import type { Linked } from '../engine/link.js';
import { makePlan } from '../engine/plan.js';
import type { Host } from '../host.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Plan } from '../model/plan.js';
import { capabilityOf } from '../service/collection.js';
import { requestsOfList } from '../service/list-pages.js';
import type { Seen } from './read-workspace.js';

/** Imports that a command asks for, outside the plan of a project. */
export interface ImportsToPlan {
  readonly linked: Pick<Linked, 'manifests' | 'edges'>;
  /** Definitions that have to be there for them. */
  readonly bound: readonly Bound[];
  readonly jobs: readonly JobFacts[];
  readonly seen: Seen;
  readonly stack: string;
  readonly guarding: Guarding;
}

/** Imports as a plan like every other. What the project owns is neither known nor touched. */
export function planOfImports(
  { linked: { manifests, edges }, bound, jobs, seen: { observation }, stack, guarding }: ImportsToPlan,
  { client, workspace, environment, catalog }: Connection,
  host: Host,
): Plan {
  return makePlan({
    ...{ environment, workspace, manifests, edges, bound, jobs, guarding, observation, facts: new Map() },
    deciding: { stack, adopt: 'never', replace: new Set() },
    prune: { is: 'no', described: new Set(), mayDelete: () => 'no' },
    kindNamed: catalog.knownKind,
    capabilityOf: (kind) => capabilityOf(client, kind, observation),
    requestsOfList: (kind, objects) => requestsOfList(client, kind.collection, objects),
    requests: { used: client.usage.used, remaining: client.usage.remaining },
    nonce: host.nonce(),
    createdAt: host.clock().toISOString(),
  });
}
