import { recordFinder } from '../../bulk/compare/find-records.js';
import { readSpooledRows } from '../../bulk/rows/spooled-rows.js';
import { type Diagnostic, withHint } from '../../diagnostics.js';
import type { RowChange } from '../../model/rows-preview.js';
import { quoted } from '../../printable.js';
import { definitionOf, type Job } from '../job.js';

/** Nothing is deleted that another import of the plan has: its row may have moved from one file to the other. */
export async function sharedItems(
  job: Job,
  gone: readonly RowChange[],
  jobs: readonly Job[],
): Promise<readonly Diagnostic[]> {
  if (!makesItems(job)) return [];
  const numbers = new Set(gone.map(({ key: [number = ''] }) => number));
  const findings: Diagnostic[] = [];
  for (const other of jobs.filter((one) => one !== job && makesItems(one))) {
    const shared = await numbersIn(other, numbers);
    const [first] = shared;
    if (first === undefined) continue;
    const { address, origin } = job.facts;
    const message = `${address} deletes the items that its file does not have, but ${other.facts.address} has ${shared.size} of them, such as ${quoted(first)}.`;
    const hint = 'Put these rows into one file, or use `missing: report`.';
    findings.push(withHint({ severity: 'error', code: 'missing-shared', message, origin }, hint));
  }
  return findings;
}

function makesItems(job: Job): boolean {
  const { resource, mode } = definitionOf(job);
  return resource.toUpperCase() === 'ITEM_SPECS' && mode.toUpperCase() !== 'DELETE';
}

async function numbersIn(job: Job, numbers: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const { path, rows, columns } = job.whole ?? job.prepared;
  const finder = recordFinder(columns, definitionOf(job));
  const found = new Set<string>();
  for await (const { cells } of readSpooledRows(path, { first: 1, last: rows })) {
    const [number = ''] = finder.identity(cells).key;
    if (numbers.has(number)) found.add(number);
  }
  return found;
}
