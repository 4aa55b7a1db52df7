import type { Bound } from '#core/engine/bind.js';
import type { GuardOptions } from '#core/engine/guards/guard.js';
import type { Linked } from '#core/engine/link.js';
import { makePlan } from '#core/engine/plan.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { Plan } from '#core/model/plan.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { capabilityOf } from '#service/collection.js';
import { requestsOfList } from '#service/list-pages.js';
import type { Seen } from './read-workspace.js';

/** Imports that a command requests outside the plan of a project. */
export interface ImportsToPlan {
  readonly linked: Pick<Linked, 'manifests' | 'edges'>;
  /** Definitions that the imports need. */
  readonly bound: readonly Bound[];
  readonly jobs: readonly JobFacts[];
  readonly seen: Seen;
  readonly stack: string;
  readonly guarding: GuardOptions;
}

/** Plans imports alone. What the project owns is neither known nor touched. */
export function planOfImports(
  { linked: { manifests, edges }, bound, jobs, seen: { observation }, stack, guarding }: ImportsToPlan,
  { client, workspace, environment, catalog }: Connection,
  host: Host,
): Plan {
  return makePlan({
    ...{ environment, workspace, manifests, edges, bound, jobs, guarding, observation, facts: new Map() },
    deciding: { stack, adopt: 'never', replace: new Set() },
    prune: { is: 'no', described: new Set(), mayDelete: () => false },
    kindNamed: catalog.knownKind,
    capabilityOf: (kind) => capabilityOf(client, kind, observation),
    requestsOfList: (kind, objects) => requestsOfList(client, kind.collection, objects),
    requests: { used: client.usage.used, remaining: client.usage.remaining },
    nonce: host.nonce(),
    createdAt: host.clock().toISOString(),
  });
}
