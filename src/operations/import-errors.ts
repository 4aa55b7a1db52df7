import { dataFolder } from '../config/environment.js';
import { withConnection } from '../connection/connection.js';
import { DexsyncError } from '../errors.js';
import { withSpool } from '../files/spool-folder.js';
import type { Host, ProjectOptions } from '../host.js';
import { accountFor } from '../imports/account-for.js';
import type { Job } from '../imports/job.js';
import type { FoundImport } from '../imports/known-imports.js';
import { manifestOf, prepareFound } from '../imports/prepare-found.js';
import { decide } from '../imports/run/decide.js';
import { readErrors } from '../imports/run/run-errors.js';
import type { SentRun } from '../imports/run/run-input.js';
import { settledOf } from '../imports/run/settled.js';
import type { JobRun } from '../model/job-state.js';
import type { Observation } from '../model/observation.js';
import { openConfig } from '../project/project.js';
import type { Reader } from '../service/client.js';
import { importRunReadsOf } from '../service/import-runs.js';
import type { ImportOutcome } from '../stream/import-outcome.js';
import { findImport } from './list-imports.js';

const NOTHING_SEEN: Observation = { objects: new Map(), lookups: new Map(), unlisted: new Set() };

/**
 * Reads the error reports of an import again, joins them to its rows and accounts for every row in files. Two requests for
 * each run that has failed rows, one for each that has none.
 */
export async function importErrors(
  options: ProjectOptions & { readonly run: string },
  host: Host,
): Promise<ImportOutcome> {
  const config = await openConfig(options, host);
  const found = await findImport(config, options, host);
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    return withSpool(dataFolder(config), async (spool) => {
      const manifest = manifestOf(found);
      const preparing = {
        found,
        manifest,
        folder: await spool.path(),
        project: config.folder,
        // As runs that are open: the rows are parted as the runs were, whatever `rowsPerRun` would do to them by now.
        state: { state: 'posted', runs: found.job.runs } as const,
        observation: NOTHING_SEEN,
      };
      const job = await prepareFound(preparing, connection, host);
      const outcome = await outcomeOf(found, job, connection.client, host);
      await accountFor(job, outcome, host);
      return outcome;
    });
  });
}

async function outcomeOf(
  found: FoundImport,
  { prepared, rule }: Job,
  client: Reader,
  host: Host,
): Promise<ImportOutcome> {
  const readsOf = (job: JobRun) => importRunReadsOf(client, definitionOf(job, found));
  const sent: SentRun[] = [];
  for (const [index, job] of found.job.runs.entries()) {
    const part = prepared.parts[index];
    const run = await readsOf(job).read(job.run);
    if (part === undefined || run.status !== 'COMPLETE') throw underWay(found, run.status);
    sent.push({ job, part, run });
  }
  const { signal } = host;
  const emit = (): void => undefined;
  const phase = sent.some(({ run }) => run.commit) ? 'committing' : 'validating';
  const errors = await readErrors(sent, phase, { prepared, signal, emit, readsOf });
  const settled = settledOf(sent, errors, prepared);
  if (phase === 'committing') return { ...settled, outcome: 'committed' };
  const decision = decide(rule, errors.count, prepared.rows);
  if (decision.decision !== 'reject') return { ...settled, outcome: 'validated' };
  return { ...settled, outcome: 'rejected', limit: decision.limit, reason: decision.reason };
}

/** Old journals do not tell to which definition a run belongs. */
function definitionOf({ definition }: JobRun, { address }: FoundImport): string {
  if (definition !== undefined) return definition;
  throw new DexsyncError('RUN_GONE', `It is not recorded to which definition the run of ${address} belongs.`, {
    hint: 'Look at the run in the service.',
  });
}

const underWay = ({ address, runs }: FoundImport, status: string): DexsyncError =>
  new DexsyncError('RUN_FAILED', `A run of ${address} is ${status}: it has no report yet.`, {
    hint: `\`dexsync import resume ${runs[0] ?? address}\` waits for it.`,
  });
