import type { Connection } from '../connection/connection.js';
import type { Recording } from '../connection/recording.js';
import type { Guarding } from '../engine/guards/guard.js';
import { makePlan } from '../engine/plan.js';
import type { Host } from '../host.js';
import type { Job } from '../imports/job.js';
import type { Manifest } from '../model/document.js';
import type { Plan } from '../model/plan.js';
import type { Seen } from '../planning/read-workspace.js';
import type { Summary } from '../stream/events.js';
import { carryOut } from './apply.js';
import { capabilityOf, knownKind } from './plan.js';

export interface SendingImport {
  readonly stack: string;
  readonly guarding: Guarding;
  readonly manifest: Manifest;
  readonly seen: Seen;
  readonly recorded: Recording;
  readonly imports?: 'whole' | 'sent';
}

export interface PlannedImport {
  readonly plan: Plan;
  carryOut(): Promise<Summary>;
}

/** One import as a plan of one step, which was shown; it is carried out with a journal like every other. */
export function planImport(
  job: Job,
  { stack, guarding, manifest, seen, recorded, imports = 'whole' }: SendingImport,
  connection: Connection,
  host: Host,
): PlannedImport {
  const { client, workspace, environment } = connection;
  const plan = makePlan({
    deciding: { stack, adopt: 'never', replace: new Set() },
    observation: seen.observation,
    facts: new Map(),
    prune: { is: 'no', described: new Set(), mayDelete: () => 'no' },
    environment,
    workspace,
    manifests: [manifest],
    edges: new Map([[manifest.address, new Set()]]),
    bound: [],
    jobs: [job.facts],
    kindNamed: knownKind,
    capabilityOf: (kind) => capabilityOf(kind, connection, seen.observation),
    requests: { used: client.usage.used, remaining: client.usage.remaining },
    nonce: host.nonce(),
    createdAt: host.clock().toISOString(),
    guarding,
  });
  host.emit({ type: 'plan', plan, reset: client.usage.reset });
  const carried = { plan, identities: seen.identities, jobs: [job], recorded, imports };
  return { plan, carryOut: () => carryOut(carried, connection, host) };
}
