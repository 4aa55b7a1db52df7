import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { quoted } from '#base/printable.js';
import { importJob } from '#core/jobs/import.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import { addressOf } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { recordFinder } from '../../bulk/compare/find-records.js';
import { readAllRows } from '../../bulk/rows/spooled-rows.js';
import { rowName } from '../../bulk/source/row-place.js';
import { allRowsOf, type Job, jobDefinition } from '../job.js';
import { normalizeKey } from './spare-records.js';

/** Findings if another import of the plan has records to delete: a row may have moved from one file to the other. */
export async function sharedRecords(
  job: Job,
  gone: readonly RowChange[],
  jobs: readonly Job[],
): Promise<readonly Diagnostic[]> {
  const looks = new Map(gone.map(({ key }) => [normalizeKey(key), key]));
  const findings: Diagnostic[] = [];
  for (const other of jobs.filter((one) => one !== job && mayHave(one, job))) {
    const { shared, nameless } = await namedBy(other, looks);
    const [first] = shared;
    if (first !== undefined)
      findings.push(sharedFinding(job, other, `has ${shared.size} of them, such as ${quoted(first)}`, INTO_ONE));
    else if (nameless !== undefined)
      findings.push(
        sharedFinding(
          job,
          other,
          `may have them: row ${rowName(allRowsOf(other), nameless)} has a GUID alone`,
          NUMBERS,
        ),
      );
  }
  return findings;
}

const INTO_ONE = 'Put these rows into one file, or use `missing: report`.';
const NUMBERS = 'Give its rows the numbers of their items too, or use `missing: report`.';

function sharedFinding(job: Job, other: Job, what: string, hint: string): Diagnostic {
  const { address, origin } = job.facts;
  const records = resourceNamed(jobDefinition(job).resource).compared === 'items' ? 'items' : 'records';
  const message = `${address} deletes the ${records} that its file does not have, but ${other.facts.address} ${what}.`;
  return withHint({ severity: 'error', code: 'missing-shared', message, origin }, hint);
}

function mayHave(other: Job, job: Job): boolean {
  const { resource, mode } = jobDefinition(other);
  return isSame(resource, jobDefinition(job).resource) && !isSame(mode, 'DELETE');
}

const isSame = (text: string, other: string): boolean => text.toUpperCase() === other.toUpperCase();

/** Which of these keys its rows have, and the first row that may mean one of them by a GUID in place of its first part. */
async function namedBy(job: Job, looks: ReadonlyMap<string, readonly string[]>) {
  const all = allRowsOf(job);
  const finder = recordFinder(all.columns, jobDefinition(job));
  const others = new Set([...looks.values()].map(([, ...rest]) => normalizeKey(rest)));
  const shared = new Set<string>();
  let nameless: number | undefined;
  for await (const { n, cells } of readAllRows(all)) {
    const { key, guid } = finder.identity(cells);
    const [first, ...rest] = key;
    const found = looks.get(normalizeKey(key));
    if (found !== undefined) shared.add(found.join(' / '));
    if (guid !== '' && first === '' && others.has(normalizeKey(rest))) nameless ??= all.sourceRowOf(n);
  }
  return { shared, nameless };
}

/** A finding if the plan leaves out an import of the same resource, which may have them too: its file is not read. */
export function leftOutFindings(job: Job, leftOut: readonly Manifest[]): Diagnostic[] {
  const own = jobDefinition(job).resource;
  const definitions = new Map(leftOut.map(({ address, spec }) => [address, spec]));
  const other = leftOut.find(({ kind, spec }) => {
    const { resource = own } = definitions.get(addressOf(importDefinition.name, String(spec.definition))) ?? {};
    return kind === importJob.name && isSame(String(resource), own);
  });
  if (other === undefined) return [];
  const { address, origin } = job.facts;
  const message = `Nothing is deleted that the file of ${address} does not have, because this plan leaves out ${other.address}, whose file may have it.`;
  const hint = 'Plan without `--only` and `--exclude`, or select both imports.';
  return [withHint({ severity: 'warning', code: 'missing-kept', message, origin }, hint)];
}
