import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import type { SpoolFolder } from '#base/files/spool-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { decideJob } from '#core/engine/decide-job.js';
import { changedPaths } from '#core/engine/diff.js';
import { liveIndex } from '#core/engine/live-index.js';
import { listCandidates, liveUnder } from '#core/engine/live-under.js';
import { type Stale, staleSince } from '#core/engine/stale-objects.js';
import { importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { isInside } from '#core/manifest/load.js';
import { type Address, addressOf } from '#core/model/address.js';
import { manifestAt } from '#core/model/document.js';
import type { JobState } from '#core/model/job-state.js';
import type { Observation } from '#core/model/observation.js';
import type { RecordedImport } from '#core/model/partial-imports.js';
import type { ImportRequest, OpenRunsSeen, Plan, Step, Write } from '#core/model/plan.js';
import { folderOfPattern } from '#data/bulk/archive/list-files.js';
import { fingerprintDefinition } from '#data/imports/definition.js';
import type { Job } from '#data/imports/job.js';
import { prepareJob } from '#data/imports/prepare-job.js';
import { addressOfMissing, withDue } from '#data/imports/preview/missing-due.js';
import { findReleasedFile } from '#data/imports/released-file.js';
import type { RunHistory } from '#data/imports/run-history.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';
import type { Reader } from '#service/client.js';
import type { Identities } from '#service/identities.js';
import type { ItemExports } from '#service/item-exports.js';
import { staleRows } from './stale-rows.js';

/** The input for preparing the imports of a saved plan again. */
export interface RecheckJobsInput {
  readonly config: Config;
  readonly plan: Plan;
  readonly observation: Observation;
  readonly state: LedgerState;
  readonly history: RunHistory;
  readonly reader: Reader;
  readonly identities: Identities;
  readonly spool: SpoolFolder;
  readonly host: Host;
  /** Present only if the command may write. */
  readonly exports?: ItemExports;
}

type ImportWrite = Extract<Write, { verb: 'import' }>;

/** Reads the sources of a saved plan's imports again, and finds those that would now be another import. */
export async function recheckJobs(
  input: RecheckJobsInput,
): Promise<{ readonly jobs: readonly Job[]; readonly stale: readonly Stale[] }> {
  const jobs: Job[] = [];
  const stale: Stale[] = [];
  for (const step of input.plan.steps) {
    for (const write of step.writes) {
      if (write.verb !== 'import') continue;
      const own = join(await input.spool.path(), String(jobs.length + stale.length));
      await mkdir(own, { recursive: true, mode: 0o700 });
      const found = await recheckJob(step, write, own, input);
      if ('facts' in found) jobs.push(found);
      else stale.push(found);
    }
  }
  const planned = new Set(input.plan.steps.map(({ address }) => address));
  return { jobs: withDue(jobs, (address) => planned.has(addressOfMissing(address))), stale };
}

async function recheckJob(
  step: Step,
  write: ImportWrite,
  folder: string,
  input: RecheckJobsInput,
): Promise<Job | Stale> {
  const found = staleDefinition(step, write.request, input) ?? (await prepareAgain(step, write, folder, input));
  if (!('facts' in found)) return found;
  const shown = await jobShown(found, folder, input);
  const changed = await staleRows(step, shown, { ...input, folder });
  return changed === undefined || (await isTaken(write, input)) ? found : changed;
}

/** Returns the job to compare: the plan shows more of deleted records than the rows that are sent. */
async function jobShown(job: Job, folder: string, input: RecheckJobsInput): Promise<Job> {
  const { request } = job.facts;
  const { content, shownBy } = request;
  if (content === undefined || shownBy === undefined) return job;
  const { config, plan, observation, state, host } = input;
  const own = join(folder, 'shown');
  await mkdir(own, { mode: 0o700 });
  return prepareJob({
    ...{ project: { ...config, stack: plan.stack }, workspace: plan.workspace.name, observation, state, content },
    ...{ host: { ...host, emit: () => undefined }, folder: own, path: join(folder, 'content.csv') },
    definition: { ...request.definition, spec: parseImportDefinition(shownBy) },
    manifest: job.manifest,
  });
}

/** Whether another apply has committed the reviewed runs: the rows are as they ask, and this apply learns that. */
async function isTaken({ resume, request }: ImportWrite, { history }: RecheckJobsInput): Promise<boolean> {
  return resume !== undefined && (await history.reviewed(String(request.spec.definition), resume)) === 'taken';
}

/** Finds a changed definition. Unless the plan changes it, it must treat rows as it did at the review. */
function staleDefinition(step: Step, { spec, definition }: ImportRequest, input: RecheckJobsInput): Stale | undefined {
  const { plan, observation, state } = input;
  const name = String(spec.definition);
  const address = addressOf(importDefinition.name, name);
  if (plan.steps.some((one) => one.address === address && one.writes.length > 0)) return undefined;
  const known = state.objects.get(address)?.identity;
  const live = liveUnder(importDefinition.name, name, liveIndex(observation), known);
  const where = `environment "${plan.environment}"`;
  if (!('raw' in live)) {
    const { length: count } = listCandidates(live);
    const what =
      count === 0 ? `which is no longer in ${where}` : `but ${count} definitions in ${where} now have this name`;
    return { address: step.address, is: 'reference', fields: [], message: `uses ${address}, ${what}` };
  }
  const { fingerprint: seen = fingerprintDefinition(definition.spec) } = definition;
  if (fingerprintDefinition(live.raw.spec) === seen) return undefined;
  const changed = changedPaths(importDefinition.schema, definition.spec, live.raw.spec);
  const fields = changed.filter((path) => path !== 'description');
  return staleSince(address, 'changed', `changed in ${where}`, fields);
}

async function prepareAgain(step: Step, asked: ImportWrite, folder: string, input: RecheckJobsInput) {
  const { key, request, resume } = asked;
  const { config, plan, observation, state, history, host } = input;
  const stale = (is: Stale['is'], message: string): Stale => ({ address: step.address, is, fields: [], message });
  const definition = { ...request.definition, spec: parseImportDefinition(request.definition.spec) };
  const of = { project: { ...config, stack: plan.stack }, workspace: plan.workspace.name };
  const again = new Set(step.reason === 'asked' ? [step.address] : []);
  const reviewed = await reviewedWith(asked, input);
  if (reviewed === 'taken') return stale('settled', 'was committed by another apply after this plan was created');
  if (reviewed === 'gone')
    return stale('settled', `was validated by ${nameOf(resume)}, which is no longer in the workspace`);
  const known = reviewed === undefined ? state : withImport(state, { address: step.address, key, job: reviewed });
  const source = await sourceOf(step, request, folder, input);
  const job = await prepareJob({
    ...{ ...of, ...source, folder, definition, observation, state: known, again, history, host },
    manifest: manifestAt(step.origin, step.address, request.spec),
  }).catch(unreadable);
  if (typeof job === 'string') return stale('source', `can no longer be read: ${job}`);
  if (job.facts.key !== key)
    return stale('source', `reads ${request.path}, whose rows changed after this plan was created`);
  const now = decideJob(job.facts);
  if (now === undefined || (now.action === 'adopt' && step.action === 'import'))
    return stale('settled', 'was done by another apply after this plan was created');
  const [write] = now.writes;
  if (write?.verb !== 'import') return stale('source', `can no longer be applied: ${now.message.replace(/\.$/, '')}`);
  const same = write.resume?.run === resume?.run && write.resume?.phase === resume?.phase;
  return same ? job : stale('settled', 'was started by another apply after this plan was created');
}

/** Returns the file that a plan names or contains, and which of its rows are sent. */
async function sourceOf(
  { address }: Step,
  { path, files, only, content, shownBy, released }: ImportRequest,
  folder: string,
  { config, host }: RecheckJobsInput,
) {
  const own = join(folder, 'content.csv');
  if (content !== undefined) await writeFile(own, content, { mode: 0o600 });
  const filesPath = files === undefined ? undefined : await inProject(address, files, folderOfPattern(files), config);
  const very = released && ((await findReleasedFile(released, config, host)) ?? resolve(config.folder, released.path));
  return {
    path: very ?? (content === undefined ? await inProject(address, path, path, config) : own),
    ...omitUndefined({ filesPath, only, content, shownBy, released }),
  };
}

/** Returns the runs that the plan was reviewed with if this ledger does not know them: another one posted them. */
async function reviewedWith(
  { key, request, resume }: ImportWrite,
  { state, history }: RecheckJobsInput,
): Promise<JobState | 'taken' | 'gone' | undefined> {
  // Plans of older versions do not distinguish the runs.
  if (resume?.parts === undefined || state.imports.has(key)) return undefined;
  return (await history.reviewed(String(request.spec.definition), resume)) ?? 'gone';
}

const withImport = (state: LedgerState, one: RecordedImport): LedgerState => ({
  ...state,
  imports: new Map(state.imports).set(one.key, one),
});

const nameOf = (resume: OpenRunsSeen | undefined): string =>
  resume?.number === undefined ? 'a run' : `run #${resume.number}`;

/** Resolves a path inside the project: a plan, which may come from elsewhere, reads nothing outside it. */
async function inProject(address: Address, given: string, place: string, { folder }: Config): Promise<string> {
  const isIn = await isInside(folder, resolve(folder, place)).catch(() => !place.startsWith('..'));
  if (isIn) return resolve(folder, given);
  throw new DexsyncError('PLAN_INVALID', `${address} reads "${given}", which is outside the project folder.`, {
    hint: 'Move the file into the project, then plan again.',
  });
}

function unreadable(error: unknown): string {
  if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
  return error.message.replace(/\.$/, '');
}
