import { planOf } from '../engine/plan.js';
import type { Host } from '../host.js';
import type { Plan, Step } from '../model/plan.js';
import type { Connection } from './connection.js';

/** Steps that a command asks for, as a plan like every other. */
export function planOfSteps(
  steps: readonly Step[],
  stack: string,
  connection: Pick<Connection, 'client' | 'workspace' | 'environment'>,
  host: Host,
): Plan {
  const { client, workspace, environment } = connection;
  const { used, remaining } = client.usage;
  return planOf(steps, {
    ...{ stack, environment, workspace, manifests: [], jobs: [], requests: { used, remaining } },
    ...{ nonce: host.nonce(), createdAt: host.clock().toISOString() },
  });
}
