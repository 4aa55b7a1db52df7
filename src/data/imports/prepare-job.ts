import { join, relative } from 'node:path';
import { omitUndefined } from '#base/omit-undefined.js';
import { digest, normalForm, withoutDefaults, withoutLookups } from '#core/engine/normal-form.js';
import { isOpenOrSettled, type JobTerms } from '#core/engine/settled-jobs.js';
import { type ImportSpec, type RowExpectation, toImportSpec } from '#core/jobs/import.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import type { Address } from '#core/model/address.js';
import type { FindingSummary } from '#core/model/findings.js';
import type { ImportedFile } from '#core/model/imported-file.js';
import type { JobFacts } from '#core/model/job-facts.js';
import { isOpen, type JobState, sentRowsOnly } from '#core/model/job-state.js';
import type { JsonObject } from '#core/model/json.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Host } from '#project/host.js';
import { emitDiagnostics } from '#project/project.js';
import type { ExpectedRows } from '../bulk/preflight/row-count.js';
import { type ImportInput, type PreparedImport, prepareImport } from '../bulk/prepare.js';
import type { Division } from '../bulk/rows/divide-rows.js';
import { RowRanges } from '../bulk/rows/row-ranges.js';
import { openSource } from '../bulk/source/open-source.js';
import { steadyFile } from '../bulk/source/steady-file.js';
import { allowedValues } from './allowed-values.js';
import { coversFindings } from './covers.js';
import type { Definition } from './definition.js';
import { emptiedAttributes, filledAttributes } from './filled-attributes.js';
import type { Job } from './job.js';
import { countUnsent, deriveFacts, factsToRecord, type JobInput, readRequest } from './job-facts.js';
import { imageFindings, readBackFindings } from './read-back-findings.js';
import { importedFile } from './released-file.js';
import { findingsAt, shownName, shownSource } from './shown-source.js';

/** Reads one source and returns the facts that planning needs. Emits findings unless the content is committed. */
export async function prepareJob(input: JobInput): Promise<Job> {
  const { manifest, definition, host, project, workspace } = input;
  const spec = toImportSpec(manifest.spec);
  emitDiagnostics(host, project.folder, [
    ...readBackFindings(spec, definition.spec.resource, manifest),
    ...coversFindings(spec, definition.spec, manifest),
  ]);
  const reading = readingOf(input, spec);
  const assertUnchanged = await watchFile(input.path, spec);
  const whole = await prepareImport(reading);
  emitDiagnostics(host, project.folder, imageFindings(spec, whole, definition, manifest));
  const requested = readRequest(input, spec);
  const key = keyOf(whole, definition, input.state);
  const known = await knownOf(key, requested, input, spec, whole);
  const attributes = filledAttributes(definition.spec, input.observation);
  const emptied =
    known.state?.state === 'committed'
      ? emptiedAttributes(input.state.imports.get(key)?.facts?.attributes, attributes)
      : [];
  const asked: typeof requested = emptied.length === 0 ? requested : { again: 'values lost', ...requested };
  const only = onlySent(known.state, asked) ?? input.only;
  const file = await fileToRecord(input, spec, known.state, assertUnchanged);
  const prepared = await prepareSent(whole, reading, only, known.state);
  const job: Job = {
    ...{ manifest, project, workspace },
    facts: {
      ...deriveFacts(input, spec, prepared),
      ...countUnsent(whole, prepared),
      ...{
        ...asked,
        key,
        ...known,
        sent: factsToRecord(input, spec, known.state, key, { attributes, ...omitUndefined({ file }) }),
      },
      ...(emptied.length === 0 ? {} : { emptied }),
    },
    prepared,
    ...(only === undefined ? {} : { whole }),
    prepareOnly: (rows) => prepareImport(readingOnly(reading, rows)),
    openTable: (source = spec.source) => openSource(input.path, namedSource(input, { source })),
  };
  const isDone = known.state?.state === 'committed' && isOpenOrSettled(known.state, asked);
  if (prepared.findings.kept.length > 0 && !isDone) emitFindings(job, prepared.findings, host);
  return job;
}

/** Watches a file until its digest is known; reading reports one that is missing. */
const watchFile = (path: string, { source }: ImportSpec): Promise<(() => Promise<void>) | undefined> =>
  steadyFile(path, source.file, async () => undefined).catch(() => undefined);

/** The file to record with an import that may be sent; none if it has no file of its own, or one beside physical files. */
async function fileToRecord(
  { path, content, project, released }: JobInput,
  { source }: ImportSpec,
  state: JobState | undefined,
  assertUnchanged: (() => Promise<void>) | undefined,
): Promise<ImportedFile | undefined> {
  if (content !== undefined || source.files !== undefined || state?.state === 'committed') return undefined;
  const file = await importedFile(path, project);
  await assertUnchanged?.();
  // Wherever the very file of a release was found, its path is that in the project.
  return released === undefined ? file : { ...file, path: released.path };
}

/** The rows that earlier runs were sent, if those runs are resumed or settled the content. */
const onlySent = (state: JobState | undefined, asked: JobTerms): string | undefined =>
  state !== undefined && isOpenOrSettled(state, asked) ? sentRowsOnly(state) : undefined;

/** A source under the one name that messages, findings and reports use. */
function namedSource({ path, content, project, host }: JobInput, { source }: Pick<ImportSpec, 'source'>) {
  if (content !== undefined) return source;
  return { ...source, file: shownName(source.file, relative(project.folder, path), project, host) };
}

function readingOf(input: JobInput, spec: ImportSpec): ImportInput {
  const { address } = input.manifest;
  const { definition, host, observation, workspace, path, filesPath, folder } = input;
  const { upload, repeated, rowsPerRun, expectRows } = spec;
  return {
    path,
    ...omitUndefined({ filesPath }),
    folder,
    source: namedSource(input, spec),
    definition: definition.spec,
    allowed: allowedValues(observation, definition.spec, workspace),
    onRows: (rows) => host.emit({ type: 'import', address, event: { type: 'reading', rows } }),
    signal: host.signal,
    ...omitUndefined({ upload, repeated }),
    ...(rowsPerRun === undefined ? {} : { division: { by: 'size', rowsPerRun } }),
    ...(expectRows === undefined ? {} : { expected: expectedOf(expectRows, input.state, address) }),
  };
}

/** The state of the content in the ledger, or else in the workspace. */
async function knownOf(
  key: string,
  { when, again }: JobTerms,
  { state: { imports }, history, definition, folder }: JobInput,
  spec: ImportSpec,
  prepared: PreparedImport,
): Promise<Pick<JobFacts, 'state' | 'found' | 'unclear'>> {
  const state = imports.get(key)?.job;
  if (state !== undefined) return { state };
  // Rows that are sent in any case need no history.
  if (when !== 'changed' || again !== undefined) return {};
  return (await history?.committed({ spec, definition: definition.spec, prepared, folder })) ?? {};
}

/**
 * Prepares the rows to send, in the parts of the runs that are open. Reads the file again if these are only some of its
 * rows, and once more if the rows would be divided differently now.
 */
async function prepareSent(
  whole: PreparedImport,
  reading: ImportInput,
  only: string | undefined,
  state: JobState | undefined,
): Promise<PreparedImport> {
  const again = only === undefined ? reading : readingOnly(reading, RowRanges.parse(only));
  const sent = only === undefined ? whole : await prepareImport(again);
  const division = divisionOf(state, sent);
  return division === undefined ? sent : prepareImport({ ...again, division });
}

/** The expected number of rows was checked when the whole file was read. */
const readingOnly = ({ expected: _, ...reading }: ImportInput, only: RowRanges): ImportInput => ({
  ...reading,
  ...{ only, folder: join(reading.folder, 'some') },
});

/** The expected rows, with the number that was committed last: a large change is often a broken export. */
function expectedOf(expectation: RowExpectation, { committedRows }: LedgerState, address: Address): ExpectedRows {
  const before = committedRows.get(address);
  return { expectation, ...omitUndefined({ before }) };
}

/** The division of open runs, if the rows would be divided differently now. */
function divisionOf(state: JobState | undefined, { parts }: PreparedImport): Division | undefined {
  if (!isOpen(state)) return undefined;
  const { runs } = state;
  const alike = runs.every(({ last }, index) => Math.min(last, parts.at(-1)?.last ?? 0) === parts[index]?.last);
  return alike ? undefined : { by: 'rows', lasts: new Set(runs.map(({ last }) => last)) };
}

/**
 * The key of an import: the same rows through the same definition are the same work, regardless of the file's name and
 * format, and of whether the spec asked of the definition was known when they were sent.
 */
function keyOf({ rowsDigest, files }: PreparedImport, { content, spec }: Definition, { imports }: LedgerState): string {
  const { schema } = importDefinition;
  const sent = files === undefined || files.count === 0 ? {} : { files: files.digest };
  const keyBy = ({ description: _, ...rest }: JsonObject): string =>
    digest({ rows: rowsDigest, ...sent, definition: normalForm(schema, withoutDefaults(schema, rest)) });
  const whole = spec as unknown as JsonObject;
  const key = keyBy(content);
  return [key, keyBy(withoutLookups(schema, whole)), keyBy(whole)].find((one) => imports.has(one)) ?? key;
}

/** Emits the findings about the source of an import. */
export function emitFindings(job: Job, { kept, groups, errors, warnings, byCode }: FindingSummary, host: Host): void {
  const { address } = job.facts;
  const file = shownSource(job, host);
  const counts = { errors, warnings, byCode: Object.fromEntries(byCode) };
  const shown = groups.map((group) => ({
    ...group,
    cases: group.cases.map((one) => ({ ...one, finding: { ...one.finding, file } })),
  }));
  host.emit({ type: 'findings', address, findings: { ...counts, kept: findingsAt(file, kept), groups: shown } });
}
