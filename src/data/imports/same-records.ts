import { isOpenOrSettled } from '#core/engine/settled-jobs.js';
import { groupBy } from '#core/model/group-by.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { valuesIn } from '../bulk/preflight/cross-check.js';
import { KeyIndex } from '../bulk/rows/key-index.js';
import { allRowsOf, definitionOf, type Job, specOf } from './job.js';

/**
 * Finds for each import the earlier ones of its resource that write about the same items, unless these come after it by
 * `after`. In another order, or side by side, it would depend on chance which list has the last word.
 */
export async function importsOfSameRecords(jobs: readonly Job[]): Promise<ReadonlyMap<Job, readonly Job[]>> {
  const open = jobs.filter(({ facts }) => !isOpenOrSettled(facts.state, facts));
  const found = new Map<Job, readonly Job[]>();
  for (const alike of groupBy(open, ({ prepared }) => prepared.resource.toUpperCase()).values()) {
    const before = new Map<Job, KeyIndex>();
    for (const job of alike.length < 2 ? [] : alike) {
      const { numbers, shared } = await numbersOf(job, before);
      found.set(
        job,
        shared.filter((other) => !comesAfter(other, job, jobs)),
      );
      before.set(job, numbers);
    }
  }
  return found;
}

/** The numbers of the items that an import writes about, and those of the other imports that have some of them. */
async function numbersOf(job: Job, others: ReadonlyMap<Job, KeyIndex>) {
  const numbers = new KeyIndex();
  const left = new Map(others);
  for await (const { n, value } of valuesIn(
    { prepared: allRowsOf(job), definition: definitionOf(job) },
    keyOfItem(job),
  )) {
    for (const [other, known] of left) if (known.has(value)) left.delete(other);
    numbers.firstRow(value, n);
  }
  return { numbers, shared: [...others.keys()].filter((other) => !left.has(other)) };
}

const keyOfItem = ({ prepared }: Job): string => resourceNamed(prepared.resource).keys[0] ?? '';

/** Whether an import comes after another one by `after`, directly or through others. */
function comesAfter(one: Job, other: Job, jobs: readonly Job[], seen: ReadonlySet<Job> = new Set()): boolean {
  const before = (specOf(one).after ?? []).flatMap((name) =>
    jobs.filter((job) => job.manifest.metadata.name === name && !seen.has(job)),
  );
  return before.some((job) => job === other || comesAfter(job, other, jobs, new Set([...seen, one])));
}
