import type { Address } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Step } from '../model/plan.js';
import type { Action } from '../model/step-schema.js';
import { listFirst } from './notes.js';
import { blockDependents, blockStep } from './order.js';

/** Actions that leave a definition behind for good; the service deletes none (wire-facts, section 2). */
const LASTING: readonly Action[] = ['create', 'replace'];

/**
 * Blocks a definition that only blocked imports use: correcting a mapping until its file fits would otherwise leave a
 * retired definition behind for each attempt. A definition that no import of the plan uses is created.
 */
export function holdDefinitions(steps: readonly Step[], jobs: readonly JobFacts[]): Step[] {
  const blocked = new Set(steps.filter(({ action }) => action === 'blocked').map(({ address }) => address));
  const usersOf = (definition: Address): Address[] =>
    jobs.filter((job) => job.definition === definition).map(({ address }) => address);
  const held = steps.map((step) => {
    const users = LASTING.includes(step.action) ? usersOf(step.address) : [];
    return users.length === 0 || !users.every((user) => blocked.has(user))
      ? step
      : blockStep(step, reasonOf(step, users));
  });
  return blockDependents(held);
}

function reasonOf({ action }: Step, users: readonly Address[]): string {
  const [are, them] = users.length === 1 ? ['uses it, and is', 'it'] : ['use it, and are', 'them'];
  const done = action === 'create' ? 'created' : 'replaced';
  return `Only ${listFirst(users)} ${are} blocked. It is ${done} together with ${them}, because a definition cannot be deleted later.`;
}
