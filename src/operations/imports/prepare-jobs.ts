import { mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { folderOf } from '../../bulk/archive/find-files.js';
import type { ExpectedRows } from '../../bulk/preflight/row-count.js';
import { type PreparedImport, prepareImport } from '../../bulk/prepare.js';
import type { Division } from '../../bulk/rows/divide.js';
import { mayStart } from '../../bulk/run/decide.js';
import type { ImportEvent } from '../../bulk/run/import-event.js';
import { priceOfImport } from '../../bulk/run/price.js';
import { findFile } from '../../bulk/source/find-file.js';
import { openSource } from '../../bulk/source/read.js';
import type { SourceTable } from '../../bulk/source/source-table.js';
import { dataFolder } from '../../config/environment.js';
import type { Config } from '../../config/load-config.js';
import { type Diagnostic, withHint } from '../../diagnostics.js';
import type { Bound } from '../../engine/bind.js';
import { isDealtWith } from '../../engine/decide-job.js';
import { diffSpec } from '../../engine/diff.js';
import { digest, normalForm, withoutDefaults } from '../../engine/normal-form.js';
import { overlay } from '../../engine/overlay.js';
import { DexsyncError } from '../../errors.js';
import { type CommitRule, type ImportSpec, importJob, type RowExpectation } from '../../jobs/import.js';
import { comesAfter } from '../../jobs/resources.js';
import { type ImportDefinitionSpec, importDefinition } from '../../kinds/import-definition.js';
import type { LedgerState } from '../../ledger/fold.js';
import { isInside } from '../../manifest/load.js';
import { type Address, addressOf } from '../../model/address.js';
import type { JobFacts } from '../../model/job-facts.js';
import type { JobState } from '../../model/job-state.js';
import { type JsonObject, withoutNulls } from '../../model/json.js';
import type { Observation } from '../../model/observation.js';
import type { Host } from '../host.js';
import { STANDARD_INPUT } from '../load-given.js';
import { report } from '../project.js';
import { openSpool } from '../spool-folder.js';
import { allowedValues } from './allowed-values.js';

/** What accounting for the rows of an import needs beside them. */
export interface Accounting {
  /** Where the folders of all imports of this workspace are. */
  readonly folder: string;
  readonly workspace: string;
  /** Opens the source as it was read. */
  readonly openTable: () => Promise<SourceTable>;
}

/** An import that was read, checked and spooled, ready to be sent. */
export interface Job {
  readonly facts: JobFacts;
  readonly prepared: PreparedImport;
  readonly rule: CommitRule;
  readonly accounting: Accounting;
}

export interface PreparedJobs {
  readonly jobs: readonly Job[];
  /** Removes the spooled rows. */
  release(): Promise<void>;
}

export interface JobsInput {
  readonly config: Config;
  readonly bound: readonly Bound[];
  /** Definitions of these imports whose manifests the plan leaves out. */
  readonly leftOut: readonly Bound[];
  readonly observation: Observation;
  readonly workspace: string;
  readonly state: LedgerState;
  /** Imports that are asked for once more. */
  readonly again: ReadonlySet<Address>;
  readonly host: Host;
}

/** Reads the sources of all Import manifests. A file that cannot be read is a finding of its manifest. */
export async function prepareJobs(input: JobsInput): Promise<PreparedJobs> {
  const manifests = input.bound.filter(({ manifest }) => manifest.kind === importJob.name);
  const { path: folder, release } = await openSpool(dataFolder(input.config));
  try {
    const jobs: Job[] = [];
    for (const [index, bound] of manifests.entries()) {
      const { path, desired } = await sourceOf(input, bound);
      const files = await filesOf(input, bound);
      const own = join(folder, String(index));
      await mkdir(own);
      const project = input.config.folder;
      const job = { ...input, project, path, ...files, folder: own, definition: definitionOf(input, bound) };
      const named = { ...bound, desired };
      jobs.push(await prepareJob(job, named).catch((error: unknown) => unreadable(error, bound, input.host)));
    }
    report(input.host, sameWork(jobs));
    return { jobs: jobs.map((job) => withNeeds(job, jobs)), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Two manifests that ask for the same rows through the same definition would import them twice. */
function sameWork(jobs: readonly Job[]): Diagnostic[] {
  const first = new Map<string, Address>();
  return jobs.flatMap(({ facts: { key, address, origin } }) => {
    const other = first.get(key);
    first.set(key, other ?? address);
    if (other === undefined) return [];
    const message = `${address} asks for the same rows through the same definition as ${other}.`;
    return [{ severity: 'error', code: 'import-repeated', message, hint: 'Remove one of the two.', origin }];
  });
}

/** What is wrong with a file is a finding of the manifest that names it. */
function unreadable(error: unknown, { manifest: { address, origins } }: Bound, host: Host): never {
  if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
  const origin = origins.value('/spec/source/file');
  const message = `${address}: ${error.message}`;
  report(host, [withHint({ severity: 'error', code: 'source-unreadable', message, origin }, error.hint)]);
  throw error;
}

/** The definition as it is once the plan was applied, and the part of it that decides whether rows are the same. */
export interface Definition {
  readonly spec: ImportDefinitionSpec;
  readonly content: JsonObject;
}

function definitionOf({ bound, leftOut, observation, state }: JobsInput, { desired }: Bound): Definition {
  const name = String(desired.definition);
  const isIt = ({ manifest }: Bound): boolean =>
    manifest.kind === importDefinition.name && manifest.metadata.name === name;
  const asked = bound.find(isIt);
  const live = observation.objects.get(importDefinition.name)?.find((object) => object.name === name)?.spec ?? {};
  const before = state.objects.get(addressOf(importDefinition.name, name));
  const spec = asked === undefined ? live : overlay(importDefinition.schema, asked.desired, live);
  return {
    spec: spec as unknown as ImportDefinitionSpec,
    content: asked?.desired ?? contentOf(live, [leftOut.find(isIt)?.desired, before?.applied]),
  };
}

/**
 * What decides whether rows are the same: what is known to have been asked of the definition, where it is still like that,
 * so that rows stay the same work whether or not a plan looks at its manifest; otherwise all that it holds.
 */
export const contentOf = (live: JsonObject, asked: readonly (JsonObject | undefined)[]): JsonObject =>
  asked.find((spec) => spec !== undefined && diffSpec(importDefinition.schema, spec, live).length === 0) ?? live;

interface FoundSource {
  readonly path: string;
  /** With the name of the file that was found. */
  readonly desired: JsonObject;
}

async function sourceOf({ config, host }: JobsInput, bound: Bound): Promise<FoundSource> {
  const { manifest, desired } = bound;
  const { source } = withoutNulls(desired) as ImportSpec;
  const home = homeOf(manifest.origins.start.file, config.folder, host.cwd);
  const named = resolve(home, source.file);
  const { path, file } = await findFile(named, source).catch((error: unknown) => unreadable(error, bound, host));
  const found = { path, desired: { ...desired, source: { ...source, file } } as unknown as JsonObject };
  const allowed = await Promise.all([config.folder, home].map((folder) => isInside(folder, path).catch(() => true)));
  if (allowed.includes(true)) return found;
  const message = `${manifest.address} reads "${source.file}", which leads out of the project folder.`;
  const hint = 'Move the file into the project. `dexsync import FILE` takes a file from anywhere.';
  const origin = manifest.origins.value('/spec/source/file');
  report(host, [{ severity: 'error', code: 'path-outside', message, hint, origin }]);
  return found;
}

/** Where the physical files are, if the import brings some. */
async function filesOf({ config, host }: JobsInput, { manifest, desired }: Bound): Promise<{ filesPath?: string }> {
  const { files } = (withoutNulls(desired) as ImportSpec).source;
  if (files === undefined) return {};
  const home = homeOf(manifest.origins.start.file, config.folder, host.cwd);
  const filesPath = resolve(home, files);
  const place = folderOf(filesPath);
  const allowed = await Promise.all([config.folder, home].map((folder) => isInside(folder, place).catch(() => true)));
  if (allowed.includes(true)) return { filesPath };
  const message = `${manifest.address} reads "${files}", which leads out of the project folder.`;
  const hint = 'Move the files into the project. `dexsync import FILE` takes them from anywhere.';
  const origin = manifest.origins.value('/spec/source/files');
  report(host, [{ severity: 'error', code: 'path-outside', message, hint, origin }]);
  return {};
}

/** The folder that a manifest's sources are relative to. One from standard input has the current folder. */
const homeOf = (file: string, project: string, cwd: string): string =>
  file === STANDARD_INPUT ? cwd : resolve(project, dirname(file));

export interface JobInput extends Pick<JobsInput, 'observation' | 'workspace' | 'state' | 'host'> {
  /** The folder of the configuration. */
  readonly project: string;
  /** Imports that are asked for once more, although their content was settled before. */
  readonly again?: ReadonlySet<Address>;
  readonly path: string;
  /** What `source.files` means, absolute. */
  readonly filesPath?: string;
  readonly folder: string;
  readonly definition: Definition;
}

/** Reads one source and says what planning needs to know of it. Findings are emitted unless the content was settled before. */
export async function prepareJob(
  input: JobInput,
  { manifest, desired }: Pick<Bound, 'manifest' | 'desired'>,
): Promise<Job> {
  const { definition, host, observation, workspace, path, filesPath, folder } = input;
  const asked = withoutNulls(desired) as ImportSpec;
  const { commit: rule = 'clean', when = 'changed', failOn, source, definition: name, rowsPerRun } = asked;
  const { address } = manifest;
  const again = input.again?.has(address) === true ? ({ again: 'asked' } as const) : {};
  const read = {
    path,
    ...(filesPath === undefined ? {} : { filesPath }),
    folder,
    source,
    definition: definition.spec,
    allowed: allowedValues(observation, definition.spec, workspace),
    emit: (event: ImportEvent) => host.emit({ type: 'import', address, event }),
    signal: host.signal,
    ...(asked.upload === undefined ? {} : { upload: asked.upload }),
    ...(rowsPerRun === undefined ? {} : { division: { by: 'size', rowsPerRun } as const }),
    ...(asked.expectRows === undefined ? {} : { expected: expectedOf(asked.expectRows, input.state, address) }),
  };
  const first = await prepareImport(read);
  const key = keyOf(first, definition);
  const state = input.state.jobs.get(key);
  const division = divisionOf(state, first);
  const prepared = division === undefined ? first : await prepareImport({ ...read, division });
  const commits = rule === 'never' ? 'never' : 'by rule';
  const { kept, errors, warnings } = prepared.findings;
  if (kept.length > 0 && !isDealtWith(state, { when, ...again, commits, rule }))
    host.emit({ type: 'findings', address, findings: { kept, errors, warnings } });
  const facts: JobFacts = {
    address,
    key,
    rows: prepared.rows,
    source: prepared.worksheet === undefined ? prepared.file : `${prepared.file} (${prepared.worksheet})`,
    definition: addressOf(importDefinition.name, name),
    ...modeOf(definition),
    when,
    ...again,
    commits,
    rule,
    needs: [],
    ...(state === undefined ? {} : { state }),
    findings: { errors, accepted: mayStart(prepared.findings, rule, failOn).start },
    requests: priceOfImport(prepared.parts, rule, asked),
    request: {
      path: relative(input.project, path).replaceAll(sep, '/'),
      ...(filesPath === undefined ? {} : { files: relative(input.project, filesPath).replaceAll(sep, '/') }),
      spec: desired,
      definition: { spec: definition.spec as unknown as JsonObject, content: definition.content },
    },
    origin: manifest.origins.start,
  };
  const reports = join(input.project, '.dexsync', 'imports');
  const accounting = { folder: reports, workspace, openTable: () => openSource(path, source) };
  return { facts, prepared, rule, accounting };
}

/** An import that changes by much is often a broken export; what was committed the last time tells. */
function expectedOf(expectation: RowExpectation, { committedRows }: LedgerState, address: Address): ExpectedRows {
  const before = committedRows.get(address);
  return { expectation, ...(before === undefined ? {} : { before }) };
}

/** The parts that open runs hold, where the rows are divided otherwise by now. */
function divisionOf(state: JobState | undefined, { parts }: PreparedImport): Division | undefined {
  if (state?.state !== 'posted' && state?.state !== 'committing') return undefined;
  const { runs } = state;
  const alike = runs.every(({ last }, index) => Math.min(last, parts.at(-1)?.last ?? 0) === parts[index]?.last);
  return alike ? undefined : { by: 'rows', lasts: new Set(runs.map(({ last }) => last)) };
}

/** Letter case has no meaning to the service (wire-facts, section 4), and one of its answers echoes the lower one. */
const modeOf = ({ spec }: Definition): Pick<JobFacts, 'mode'> =>
  spec.mode === undefined ? {} : { mode: spec.mode.toUpperCase() };

/** Same rows through the same definition are the same work, whatever the file is called or how it is formatted. */
function keyOf({ rowsDigest, files }: PreparedImport, { content }: Definition): string {
  const { schema } = importDefinition;
  const { description: _, ...rest } = content;
  const sent = files === undefined || files.count === 0 ? {} : { files: files.digest };
  return digest({ rows: rowsDigest, ...sent, definition: normalForm(schema, withoutDefaults(schema, rest)) });
}

/** Rows that refer to records of another import of the plan come after it. */
function withNeeds(job: Job, all: readonly Job[]): Job {
  const { resource } = job.prepared;
  const before = all.filter((other) => comesAfter(resource, other.prepared.resource));
  return { ...job, facts: { ...job.facts, needs: before.map(({ facts }): Address => facts.address) } };
}
