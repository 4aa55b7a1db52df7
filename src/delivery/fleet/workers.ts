import type { Lease, Leases } from '#ledger/lease.js';
import type { StoredRollout } from '#ledger/stored-rollout.js';

/** Whether workers work on a rollout, instead of the command that applies it. */
export const isForWorkers = ({ rollout: { settings } }: Pick<StoredRollout, 'rollout'>): boolean =>
  settings.workers === true;

const serviceOf = (stack: string): string => `workers of ${stack}`;

/** The name of a worker while it runs. */
export interface WorkerName extends Lease {
  readonly name: string;
}

/** Takes the first name that no running worker of the stack has: a worker that starts continues what one of its name left. */
export async function takeWorkerName(stack: string, leases: Leases, command: string): Promise<WorkerName> {
  for (let number = 1; ; number += 1) {
    const name = `worker-${number}`;
    const taken = await leases.take({ service: serviceOf(stack), login: name, environment: name, command });
    if (taken.is === 'taken') return { name, ...taken.lease };
  }
}

/** The names of the workers of a stack that run. */
export async function runningWorkers(stack: string, leases: Leases): Promise<ReadonlySet<string>> {
  const found = await leases.list(serviceOf(stack));
  return new Set(found.flatMap((lease) => (lease.state === 'held' ? [lease.holder.login] : [])));
}
