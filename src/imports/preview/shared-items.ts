import { recordFinder } from '../../bulk/compare/find-records.js';
import { readAllRows } from '../../bulk/rows/spooled-rows.js';
import { type Diagnostic, withHint } from '../../diagnostics.js';
import { importJob } from '../../jobs/import.js';
import { importDefinition } from '../../kinds/import-definition.js';
import { addressOf } from '../../model/address.js';
import type { Manifest } from '../../model/document.js';
import type { RowChange } from '../../model/rows-preview.js';
import { quoted } from '../../printable.js';
import { allRowsOf, definitionOf, type Job } from '../job.js';
import { lookOf } from './spared.js';

/** Nothing is deleted that another import of the plan has: its row may have moved from one file to the other. */
export async function sharedItems(
  job: Job,
  gone: readonly RowChange[],
  jobs: readonly Job[],
): Promise<readonly Diagnostic[]> {
  if (!makesItems(job)) return [];
  const looks = new Map(gone.map(({ key }) => [lookOf(key), key[0] ?? '']));
  const findings: Diagnostic[] = [];
  for (const other of jobs.filter((one) => one !== job && makesItems(one))) {
    const shared = await numbersIn(other, looks);
    const [first] = shared;
    if (first === undefined) continue;
    const { address, origin } = job.facts;
    const message = `${address} deletes the items that its file does not have, but ${other.facts.address} has ${shared.size} of them, such as ${quoted(first)}.`;
    const hint = 'Put these rows into one file, or use `missing: report`.';
    findings.push(withHint({ severity: 'error', code: 'missing-shared', message, origin }, hint));
  }
  return findings;
}

const ITEMS = 'ITEM_SPECS';

function makesItems(job: Job): boolean {
  const { resource, mode } = definitionOf(job);
  return resource.toUpperCase() === ITEMS && mode.toUpperCase() !== 'DELETE';
}

async function numbersIn(job: Job, looks: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
  const all = allRowsOf(job);
  const finder = recordFinder(all.columns, definitionOf(job));
  const found = new Set<string>();
  for await (const { cells } of readAllRows(all)) {
    const number = looks.get(lookOf(finder.identity(cells).key));
    if (number !== undefined) found.add(number);
  }
  return found;
}

/** An import that the plan leaves out may have them just as well, and its file is not read. */
export function notAlone(job: Job, leftOut: readonly Manifest[]): Diagnostic[] {
  if (!makesItems(job)) return [];
  const definitions = new Map(leftOut.map(({ address, spec }) => [address, spec]));
  const other = leftOut.find(({ kind, spec }) => {
    const { resource = ITEMS } = definitions.get(addressOf(importDefinition.name, String(spec.definition))) ?? {};
    return kind === importJob.name && String(resource).toUpperCase() === ITEMS;
  });
  if (other === undefined) return [];
  const { address, origin } = job.facts;
  const message = `Nothing is deleted that the file of ${address} does not have, because this plan leaves out ${other.address}, whose file may have it.`;
  const hint = 'Plan without `--only` and `--exclude`, or select both imports.';
  return [withHint({ severity: 'warning', code: 'missing-kept', message, origin }, hint)];
}
