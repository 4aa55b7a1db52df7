import { isOpenOrSettled } from '#core/engine/settled-jobs.js';
import { groupBy } from '#core/model/group-by.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { valuesIn } from '../bulk/preflight/cross-check.js';
import { KeyIndex } from '../bulk/rows/key-index.js';
import { allRowsOf, type Job, jobDefinition, jobSpec } from './job.js';

/**
 * Finds for each import the one of its resource that it follows, since lists of both, or lists between them, write about
 * the same items: in the order of the plan and of `after`. Side by side, it would depend on chance which list has the
 * last word.
 */
export async function importsToFollow(jobs: readonly Job[]): Promise<ReadonlyMap<Job, Job>> {
  const open = jobs.filter(({ facts }) => !isOpenOrSettled(facts.state, facts));
  const followed = new Map<Job, Job>();
  for (const alike of groupBy(open, ({ prepared }) => prepared.resource.toUpperCase()).values()) {
    for (const group of alike.length < 2 ? [] : await groupsOfSameItems(alike)) {
      const ordered = inOrder(group, jobs);
      for (const [index, job] of ordered.entries()) if (index > 0) followed.set(job, ordered[index - 1] as Job);
    }
  }
  return followed;
}

/** Groups imports that share items, directly or through others. */
async function groupsOfSameItems(jobs: readonly Job[]): Promise<Iterable<readonly Job[]>> {
  const first = new KeyIndex();
  const groups = new Map<Job, readonly Job[]>();
  for (const [index, job] of jobs.entries()) {
    const shared = new Set<Job>();
    const key = resourceNamed(job.prepared.resource).keys[0] ?? '';
    for await (const { value } of valuesIn({ prepared: allRowsOf(job), definition: jobDefinition(job) }, key)) {
      const earlier = first.firstRow(value, index + 1);
      if (earlier !== undefined) shared.add(jobs[earlier - 1] as Job);
    }
    const group = [...new Set([...[...shared].flatMap((one) => groups.get(one) ?? []), job])];
    for (const one of group) groups.set(one, group);
  }
  return new Set(groups.values());
}

/** The imports in the order of the plan, each behind those that its `after` names, directly or through others. */
function inOrder(group: readonly Job[], jobs: readonly Job[]): Job[] {
  const seen = new Set<Job>();
  const ordered: Job[] = [];
  const visit = (job: Job): void => {
    if (seen.has(job)) return;
    seen.add(job);
    for (const name of jobSpec(job).after ?? [])
      jobs.filter((one) => one.manifest.metadata.name === name).forEach(visit);
    if (group.includes(job)) ordered.push(job);
  };
  jobs.filter((job) => group.includes(job)).forEach(visit);
  return ordered;
}
