import { assemblePlan } from '#core/engine/plan.js';
import type { Plan, Step } from '#core/model/plan.js';
import { countSteps } from '#ledger/counts.js';
import type { CommandFacts } from '#project/connection/command-facts.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import type { Identities } from '#service/identities.js';
import type { Job } from './job.js';
import { accountFor } from './report-outcome.js';
import { createJobRunner } from './run-job.js';

/** What a review sends imports through, and where it records them. */
export interface ReviewContext {
  readonly identities: Identities;
  readonly connection: Connection;
  readonly recorded: CommandFacts;
  readonly host: Host;
}

/**
 * Has the service validate the imports of a plan that can be validated before it is applied, and returns all jobs with
 * their new states. Nothing is committed; the runs are recorded, so that applying the plan commits those very runs.
 */
export async function reviewImports(
  plan: Plan,
  jobs: readonly Job[],
  reviewing: ReviewContext,
): Promise<readonly Job[]> {
  const { connection, recorded, identities, host } = reviewing;
  const steps = reviewable(plan);
  if (steps.length === 0) return jobs;
  const { ledger, client: writer } = connection;
  const part = assemblePlan(steps, { ...plan, manifests: [], jobs: [], nonce: host.nonce() });
  const journal = await ledger.begin(part, host.clock().toISOString(), await recorded.facts(part, connection));
  try {
    const reviewed: Job[] = [];
    for (const job of jobs) {
      const asked = steps.some(({ address }) => address === job.facts.address);
      reviewed.push(asked ? await review(job, { writer, identities, journal, host }) : job);
    }
    await journal.append({ type: 'end', at: host.clock().toISOString(), counts: countSteps([]) });
    return reviewed;
  } finally {
    await journal.close();
  }
}

async function review(job: Job, running: Parameters<typeof createJobRunner>[1]): Promise<Job> {
  const runner = createJobRunner(job, running);
  const validation = await runner.validate();
  if (validation.is === 'settled') await accountFor(job, validation.outcome, running.host);
  const state = runner.state();
  return state === undefined ? job : { ...job, facts: { ...job.facts, state } };
}

/** Imports that do not depend on changes of the plan. The others are validated when it is applied. */
function reviewable({ steps }: Plan): readonly Step[] {
  const changing = new Set(steps.filter(({ writes }) => writes.length > 0).map(({ address }) => address));
  return steps.filter(
    ({ writes, dependsOn }) =>
      writes.some((write) => write.verb === 'import' && write.resume?.phase !== 'committing') &&
      !dependsOn.some((address) => changing.has(address)),
  );
}
