import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnostic } from '#base/diagnostics.js';
import { readJsonLines } from '#base/files/json-lines.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { type Address, splitAddress } from '#core/model/address.js';
import { type Manifest, manifestAt } from '#core/model/document.js';
import { NO_ROWS, type RowChange, type RowsPreview } from '#core/model/rows-preview.js';
import { emitDiagnostics } from '#project/project.js';
import { joinKey } from '../../bulk/rows/key-index.js';
import { RowRanges } from '../../bulk/rows/row-ranges.js';
import type { Definition } from '../definition.js';
import { allRowsOf, type Job, jobDefinition, jobSpec } from '../job.js';
import type { JobInput } from '../job-facts.js';
import { prepareJob } from '../prepare-job.js';
import { KEPT_CHANGES, openChanges } from './changes-file.js';
import { addressOfMissing } from './missing-due.js';
import { keyHeaders, rowsText, shownRows } from './missing-rows.js';
import { leftOutFindings, sharedRecords } from './shared-records.js';
import { spareRecords } from './spare-records.js';

/** What preparing imports that remove records needs. */
export interface MissingInput extends Omit<JobInput, 'manifest' | 'path' | 'definition' | 'history'> {
  readonly definitionNamed: (name: string) => Definition;
  /** Manifests that the plan leaves out. */
  readonly leftOut: readonly Manifest[];
}

/** Imports that remove records, and the imports that ask for a removal, whether or not it can be done now. */
export interface MissingJobs {
  readonly jobs: readonly Job[];
  readonly due: ReadonlySet<Address>;
}

/**
 * Creates an import for each one that says `missing: delete` and has missing rows: it removes their records after all
 * others are committed. Emits an error, which ends the command, if the manifest does not name a suitable definition or
 * another import has some of the records to delete.
 */
export async function missingJobs(previewed: readonly Job[], input: MissingInput): Promise<MissingJobs> {
  const asking = previewed.filter((job) => jobSpec(job).missing === 'delete');
  const say = (findings: Diagnostic[]): void => emitDiagnostics(input.host, input.project.folder, findings);
  say(asking.flatMap((job) => definitionFinding(job, input)));
  const needs = previewed.map(({ facts }) => facts.address);
  const jobs: Job[] = [];
  const due = new Set<Address>();
  const taken = new Set<string>();
  for (const [index, job] of asking.entries()) {
    const all = (await goneOf(job)).filter((row) => !taken.has(nameOf(job, row)));
    const kept = all.length === 0 ? [] : keptFindings(job, input);
    const { gone, findings } = kept.length > 0 ? { gone: all, findings: kept } : await spareRecords(job, all);
    say([...findings]);
    if (gone.length === 0) continue;
    due.add(job.facts.address);
    if (kept.length > 0) continue;
    say([...(await sharedRecords(job, gone, previewed))]);
    for (const row of gone) taken.add(nameOf(job, row));
    jobs.push(await missingJob(job, gone, needs, { ...input, folder: join(input.folder, `${index}`) }));
  }
  return { jobs, due };
}

const nameOf = (job: Job, { key }: RowChange): string => joinKey([jobDefinition(job).resource.toUpperCase(), ...key]);

const keptFindings = (job: Job, { leftOut }: MissingInput): Diagnostic[] =>
  job.facts.findings.errors + job.prepared.findings.errors > 0 ? [keptFinding(job)] : leftOutFindings(job, leftOut);

/** A warning that nothing is deleted: a row with errors may be the one that names a record. */
function keptFinding({ facts: { address, origin } }: Job): Diagnostic {
  const message = `Rows of ${address} have errors, so nothing is deleted that the file does not have.`;
  return { severity: 'warning', code: 'missing-kept', message, hint: 'Correct the rows first.', origin };
}

function definitionFinding(job: Job, { definitionNamed }: MissingInput): Diagnostic[] {
  const { deleteDefinition: name } = jobSpec(job);
  const { address, origin } = job.facts;
  const spec = name === undefined ? undefined : definitionNamed(name).spec;
  const { resource } = jobDefinition(job);
  if (spec?.mode?.toUpperCase() === 'DELETE' && spec.resource.toUpperCase() === resource.toUpperCase()) return [];
  const message =
    name === undefined
      ? `${address} says \`missing: delete\`, which needs \`deleteDefinition\`.`
      : `${address} deletes through ImportDefinition/${name}, which is not of mode DELETE and resource ${resource}.`;
  const hint = `Describe an ImportDefinition of mode DELETE and resource ${resource}, and name it in \`deleteDefinition\`.`;
  return [{ severity: 'error', code: 'delete-definition', message, hint, origin }];
}

async function goneOf({ compared }: Job): Promise<readonly RowChange[]> {
  const gone: RowChange[] = [];
  if (compared === undefined) return gone;
  for await (const change of readJsonLines<RowChange>(compared.changes)) {
    if (change.change === 'gone') gone.push(change);
  }
  return gone;
}

async function missingJob(
  job: Job,
  gone: readonly RowChange[],
  needs: readonly Address[],
  { definitionNamed, folder, ...input }: MissingInput,
): Promise<Job> {
  const { deleteDefinition = '', commit = 'clean', beforeImage } = jobSpec(job);
  const definition = definitionNamed(deleteDefinition);
  const shown = shownRows(job, gone, definition.spec);
  const content = rowsText(keyHeaders(definition.spec), gone, shown?.columns ?? []);
  const shownBy = shown === undefined ? {} : { shownBy: shown.by };
  const address = addressOfMissing(job.facts.address);
  const { name } = splitAddress(address);
  const spec = {
    definition: deleteDefinition,
    commit,
    when: 'always',
    source: { file: `${name}.csv` },
    ...omitUndefined({ beforeImage }),
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'missing.csv');
  await writeFile(path, content, { mode: 0o600 });
  const manifest = manifestAt(job.facts.origin, address, spec);
  const prepared = await prepareJob({ ...input, manifest, definition, folder, path, content, ...shownBy });
  const changes = await openChanges(join(folder, 'changes.ndjson'), KEPT_CHANGES);
  for (const { why: _, ...change } of gone) await changes.add({ ...change, change: 'removed' });
  const digest = changes.digest();
  const file = await changes.finish();
  const facts = {
    ...{ ...prepared.facts, source: job.facts.source, needs, missingOf: allRowsOf(job).rows + gone.length },
    preview: { ...previewOf(job, gone.length, changes.first), ...(shown === undefined ? {} : { digest }) },
  };
  // The file that its rows are sent from is not the user's, so no change refers to a row of it.
  return { ...prepared, facts, compared: { changes: file, only: new RowRanges() } };
}

/** The preview of a removal, which is as certain as the comparison of the other import with the workspace. */
const previewOf = ({ facts }: Job, removed: number, rows: readonly RowChange[]): RowsPreview => {
  const { since, why, ...side } = facts.preview ?? { with: 'nothing' };
  return {
    ...{ with: side.with, requests: 0 },
    ...omitUndefined({ since, why }),
    ...{ counts: { ...NO_ROWS, removed }, rows },
  };
};
