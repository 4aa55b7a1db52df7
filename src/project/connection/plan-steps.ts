import { assemblePlan } from '#core/engine/plan.js';
import type { Plan, Step } from '#core/model/plan.js';
import type { Host } from '../host.js';
import type { ReachedWorkspace } from './reached-workspace.js';

/** Creates a plan of the steps that a command requests. */
export function planOfSteps(steps: readonly Step[], stack: string, connection: ReachedWorkspace, host: Host): Plan {
  const { client, workspace, environment } = connection;
  const { used, remaining } = client.usage;
  return assemblePlan(steps, {
    ...{ stack, environment, workspace, manifests: [], jobs: [], requests: { used, remaining } },
    ...{ nonce: host.nonce(), createdAt: host.clock().toISOString() },
  });
}
