import { dataFolder } from '../config/environment.js';
import { withConnection } from '../connection/connection.js';
import { recording } from '../connection/recording.js';
import { link } from '../engine/link.js';
import { DexsyncError } from '../errors.js';
import { withSpool } from '../files/spool-folder.js';
import type { Host, ProjectOptions } from '../host.js';
import type { FoundImport } from '../imports/known-imports.js';
import { manifestOf, prepareFound } from '../imports/prepare-found.js';
import type { CommitRule } from '../jobs/import.js';
import { isOpen, type JobState, nameOfRuns, type OpenRuns, reopenedState } from '../model/job-state.js';
import type { Plan } from '../model/plan.js';
import { type Consent, guardingOf } from '../planning/guarding.js';
import { readWorkspace } from '../planning/read-workspace.js';
import { openProject, schemaOf } from '../project/project.js';
import type { Summary } from '../stream/events.js';
import { findImport } from './list-imports.js';
import { applyImport } from './send-import.js';

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
  const { config, linked } = await openProject(options, host);
  const found = await findImport(config, options, host);
  const state = openAgain(found, how);
  const recorded = recording(`import ${how}`, options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const manifest = manifestOf(found);
    const nothing = { facts: new Map(), removing: [], anew: new Set<never>(), beside: [] };
    const seen = await readWorkspace(link([manifest], schemaOf), nothing, connection.client, host);
    return withSpool(dataFolder(config), async (spool) => {
      const folder = await spool.path();
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
      const { confirm } = options;
      const sending = { stack: config.stack, guarding, manifest, seen, recorded, confirm };
      return applyImport({ ...job, facts, rule }, sending, connection, host);
    });
  });
}

type How = 'resume' | 'commit';

/** Its runs as open ones, or why there is nothing to go on with. */
function openAgain({ job, address, committedBy }: FoundImport, how: How): OpenRuns {
  const runs = nameOfRuns(job.runs);
  const called = runs === undefined ? address : `${address} (${runs})`;
  if (committedBy !== undefined && job.state !== 'committing') {
    const message = `The same rows were committed by ${nameOfRuns(committedBy) ?? 'another run'}, so ${called} is not committed too.`;
    throw new DexsyncError('USAGE', message, {
      hint: '`dexsync import FILE --definition NAME --force` sends them once more.',
    });
  }
  const open = how === 'commit' ? reopenedState(job) : job;
  if (isOpen(open)) return open;
  throw new DexsyncError('USAGE', `${called} ${WHY_NOT[job.state as Ended]}`, { hint: HINTS[job.state as Ended] });
}

type Ended = Exclude<JobState, OpenRuns>['state'];

const WHY_NOT: Readonly<Record<Ended, string>> = {
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
