import { withSpool } from '#base/files/spool-folder.js';
import { link } from '#core/engine/link.js';
import type { Plan } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import { findImport } from '#data/imports/find-import.js';
import { prepareFound, rebuildManifest } from '#data/imports/prepare-found.js';
import { type ReopenMode, reopenImport } from '#data/imports/reopen.js';
import type { Ask } from '#delivery/planfile/consent.js';
import { type Consent, combineGuards } from '#delivery/planning/combine-guards.js';
import { EMPTY_READ_REQUEST, readWorkspace } from '#delivery/planning/read-workspace.js';
import { dataFolder } from '#project/config/environment.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openProject } from '#project/project.js';
import { applyImport } from './send-import.js';

/** The import to continue, and who is asked. */
export interface ContinueOptions extends ProjectOptions, Consent {
  /** The number of a run, or the name of an import. */
  readonly run: string;
  /** Asked once, with the plan of the validated import. */
  readonly confirm: Ask<Plan>;
}

/** Resumes an import whose command ended before it was settled. Follows its commit rule; posts nothing twice. */
export const resumeImport = (options: ContinueOptions, host: Host): Promise<Summary | undefined> =>
  continueImport('resume', options, host);

/** Commits a validated import regardless of its commit rule; the rows that failed stay out. */
export const commitImportRun = (options: ContinueOptions, host: Host): Promise<Summary | undefined> =>
  continueImport('commit', options, host);

async function continueImport(how: ReopenMode, options: ContinueOptions, host: Host): Promise<Summary | undefined> {
  const { config, linked } = await openProject(options, host);
  const found = await findImport(config, options, host);
  const state = reopenImport(found, how);
  const recorded = gatherFacts(`import ${how}`, options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const manifest = rebuildManifest(found);
    const seen = await readWorkspace(link([manifest], config.catalog.schemaOf), EMPTY_READ_REQUEST, connection, host);
    return withSpool(dataFolder(config), async (spool) => {
      const folder = await spool.path();
      const preparing = { found, folder, project: config, state, observation: seen.observation };
      const job = await prepareFound(preparing, connection, host);
      const rule = how === 'commit' ? 'always' : job.facts.rule;
      const facts = {
        ...job.facts,
        state,
        rule,
        when: 'changed',
        commits: rule === 'never' ? 'never' : 'by rule',
      } as const;
      const guarding = combineGuards(config, connection.environment, linked.described, options);
      const { confirm } = options;
      const sending = { stack: config.stack, guarding, seen, recorded, confirm };
      return applyImport({ ...job, facts }, sending, connection, host);
    });
  });
}
