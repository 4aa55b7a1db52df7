import { join, resolve } from 'node:path';
import type { Summary } from '../../apply/events.js';
import { dataFolder } from '../../config/environment.js';
import type { Diagnostic } from '../../diagnostics.js';
import { link } from '../../engine/link.js';
import { DexsyncError } from '../../errors.js';
import { type CommitRule, importJob } from '../../jobs/import.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { splitAddress } from '../../model/address.js';
import type { Manifest } from '../../model/document.js';
import { type JobState, nameOfRuns, type OpenRuns } from '../../model/job-state.js';
import type { Plan } from '../../model/plan.js';
import { type Connection, withConnection } from '../connection.js';
import { type Consent, guardingOf } from '../guarding.js';
import type { Host, ProjectOptions } from '../host.js';
import { openProject, report, schemaOf } from '../project.js';
import { readWorkspace } from '../read-workspace.js';
import { COMMAND_LINE } from '../record-plan.js';
import { recording } from '../recording.js';
import { openSpool } from '../spool-folder.js';
import type { FoundImport } from './known-imports.js';
import { findImport } from './list-imports.js';
import { type Job, prepareJob } from './prepare-jobs.js';
import { planImport } from './send-import.js';
import { fetchSubmitted } from './submitted-rows.js';

export interface ContinueOptions extends ProjectOptions, Consent {
  /** A run by its number, or an import by its name. */
  readonly run: string;
  /** Asked once, with what was validated. */
  readonly confirm: (plan: Plan) => Promise<boolean>;
}

/** Goes on with an import whose command ended before it was settled: by its own commit rule, posting nothing twice. */
export const resumeImport = (options: ContinueOptions, host: Host): Promise<Summary | undefined> =>
  continueImport('resume', options, host);

/** Commits a validated import by name, whatever its commit rule says: the rows that failed stay out. */
export const commitImportRun = (options: ContinueOptions, host: Host): Promise<Summary | undefined> =>
  continueImport('commit', options, host);

async function continueImport(how: How, options: ContinueOptions, host: Host): Promise<Summary | undefined> {
  const found = await findImport(options, host);
  const state = openAgain(found, how);
  const { config, linked } = await openProject(options, host);
  const recorded = recording(`import ${how}`, options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const manifest = manifestOf(found);
    const nothing = { facts: new Map(), removing: [], anew: new Set<never>(), beside: [] };
    const seen = await readWorkspace(link([manifest], schemaOf), nothing, connection.client, host);
    const { path: folder, release } = await openSpool(dataFolder(config));
    try {
      const preparing = { found, manifest, folder, project: config.folder, state, observation: seen.observation };
      const job = await prepareFound(preparing, connection, host);
      const rule: CommitRule = how === 'commit' ? 'always' : job.rule;
      const facts = {
        ...job.facts,
        state,
        rule,
        when: 'changed',
        commits: rule === 'never' ? 'never' : 'by rule',
      } as const;
      const guarding = guardingOf(config, connection.environment, linked.described, options);
      const sending = { stack: config.stack, guarding, manifest, seen, recorded };
      const { plan, carryOut } = planImport({ ...job, facts, rule }, sending, connection, host);
      return (await options.confirm(plan)) ? await carryOut() : undefined;
    } finally {
      await release();
    }
  });
}

type How = 'resume' | 'commit';

/** Its runs as open ones, or why there is nothing to go on with. */
function openAgain({ job, address }: FoundImport, how: How): OpenRuns {
  const runs = nameOfRuns(job.runs);
  const called = runs === undefined ? address : `${address} (${runs})`;
  if (job.state === 'posted' || job.state === 'committing') return job;
  if (how === 'commit' && (job.state === 'validated' || job.state === 'rejected')) {
    return { state: 'posted', runs: job.runs, validated: { rows: job.rows, failed: job.failed } };
  }
  throw new DexsyncError('USAGE', `${called} ${WHY_NOT[job.state]}`, { hint: HINTS[job.state] });
}

const WHY_NOT: Readonly<Record<Exclude<JobState['state'], 'posted' | 'committing'>, string>> = {
  committed: 'was committed already.',
  validated: 'was validated and waits for a person.',
  rejected: 'was rejected by its commit rule.',
  failed: 'came to nothing; nothing of it was committed.',
  lost: 'is not in the workspace any more; it was being committed when it was last seen.',
};

const HINTS: typeof WHY_NOT = {
  committed: '`dexsync import show RUN` tells what came of it.',
  validated: '`dexsync import commit RUN` commits it.',
  rejected:
    '`dexsync import commit RUN` commits the rows that did not fail; `dexsync import retry RUN` sends the others.',
  failed: 'Import the file again.',
  lost: 'Look at its records; `dexsync import FILE --definition NAME --force` sends them again.',
};

interface Preparing {
  readonly found: FoundImport;
  readonly manifest: Manifest;
  readonly folder: string;
  readonly project: string;
  readonly state: OpenRuns;
  readonly observation: Parameters<typeof prepareJob>[0]['observation'];
}

/** From its source, where that still holds the same rows; otherwise from what the runs themselves were sent. */
async function prepareFound(preparing: Preparing, connection: Connection, host: Host): Promise<Job> {
  const { found, manifest, folder, state, project, observation } = preparing;
  const { request, key } = found;
  const definition = { ...request.definition, spec: request.definition.spec as unknown as ImportDefinitionSpec };
  const ledger = { jobs: new Map([[key, state]]), objects: new Map(), committedRows: new Map() };
  const common = { definition, observation, workspace: connection.workspace.name, state: ledger, project, host };
  const { files } = request;
  const filesPath = files === undefined ? {} : { filesPath: resolve(project, files) };
  const source = { ...common, path: resolve(project, request.path), ...filesPath, folder };
  const job = await prepareJob(source, { manifest, desired: request.spec }).catch(unlessGone);
  if (job?.facts.key === key) return job;
  const submitted = await fetchSubmitted(state.runs, join(folder, 'submitted.csv'), connection.client);
  report(host, [othersByNow(found)]);
  const { definition: name, commit = 'clean' } = request.spec;
  const desired = { definition: name ?? null, commit, source: { file: found.file } };
  const sent = await prepareJob({ ...common, path: submitted, folder: join(folder, 'sent') }, { manifest, desired });
  if (sent.facts.key === key) return { ...sent, facts: { ...sent.facts, request } };
  const called = nameOfRuns(state.runs) ?? 'the run';
  throw new DexsyncError('RUN_GONE', `The rows of ${called} are neither in ${found.file} nor in the workspace.`, {
    hint: 'Import the file as it is now.',
  });
}

const othersByNow = ({ file }: FoundImport): Diagnostic => ({
  severity: 'warning',
  code: 'source-changed',
  message: `${file} holds other rows by now; these are the ones that were sent, with the lines of what was sent.`,
  origin: COMMAND_LINE,
});

const unlessGone = (error: unknown): undefined => {
  if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
  return undefined;
};

function manifestOf({ address, request }: FoundImport): Manifest {
  const origins = { start: COMMAND_LINE, value: () => COMMAND_LINE, key: () => COMMAND_LINE };
  return { address, kind: importJob.name, metadata: { name: splitAddress(address).name }, spec: request.spec, origins };
}
