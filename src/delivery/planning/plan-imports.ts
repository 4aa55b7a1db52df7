import { join } from 'node:path';
import type { SpoolFolder } from '#base/files/spool-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { type Bound, bind } from '#core/engine/bind.js';
import { needCycles } from '#core/engine/order.js';
import { importJob } from '#core/jobs/import.js';
import type { Address } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { FoundFiles } from '#data/imports/find-source.js';
import type { Job } from '#data/imports/job.js';
import type { JobsInput } from '#data/imports/prepare-jobs.js';
import type { LedgerState } from '#ledger/fold.js';
import { emitDiagnostics } from '#project/project.js';
import type { ItemExports } from '#service/item-exports.js';
import type { BindRequest } from './bind-manifests.js';
import { extraDefinitions } from './extra-definitions.js';
import type { Seen } from './read-workspace.js';

/** The part of a plan request that concerns imports. */
export interface ImportsRequest extends BindRequest {
  /** Compares rows if `preview: full` is requested; without it, planning writes nothing. */
  readonly exports?: ItemExports;
  /** The very files of a release, where they were found. */
  readonly files?: FoundFiles;
}

/** The input for the imports of a plan. */
export interface PlanImportsInput {
  /** The state of the ledger, and the imports to send again. */
  readonly state: LedgerState;
  readonly again: ReadonlySet<Address>;
  readonly seen: Seen;
  readonly bound: readonly Bound[];
  readonly spool: SpoolFolder;
  readonly planOf: (jobs: readonly Job[]) => Plan;
}

/** Prepares the imports of a plan and compares their rows. Loads readers of tables and workbooks if needed. */
export async function prepareImports(
  request: ImportsRequest,
  { state, again, seen, bound, spool, planOf }: PlanImportsInput,
): Promise<readonly Job[]> {
  const { config, selection, connection, host, files } = request;
  if (!bound.some(({ manifest }) => manifest.kind === importJob.name)) return [];
  const { prepareJobs } = await import('#data/imports/prepare-jobs.js');
  const { runHistory } = await import('#data/imports/run-history.js');
  const workspace = connection.workspace.name;
  const { observation, identities } = seen;
  const leftOut = bind(extraDefinitions(selection), observation, config.catalog.schemaOf, connection.environment).bound;
  const history = runHistory(connection.client, identities, state);
  const input: JobsInput = {
    ...{ config, bound, leftOut, observation, workspace, state, again, history, spool, host },
    ...omitUndefined({ files }),
  };
  const jobs = await preview(await prepareJobs(input), input, request, { seen, planOf });
  const { edges } = selection.linked;
  emitDiagnostics(
    host,
    config.folder,
    needCycles(
      edges,
      jobs.map(({ facts }) => facts),
    ),
  );
  return jobs;
}

/** Compares the rows that the plan would send; the rest of the plan does not depend on that. */
async function preview(
  jobs: readonly Job[],
  input: JobsInput,
  { connection, selection, options: { preview: mode }, exports }: ImportsRequest,
  { seen: { identities }, planOf }: Pick<PlanImportsInput, 'seen' | 'planOf'>,
): Promise<readonly Job[]> {
  const { previewJobs, withoutComparison } = await import('#data/imports/preview/preview-jobs.js');
  if (mode === 'none') return jobs.map(withoutComparison);
  const { definitionNamed } = await import('#data/imports/prepare-jobs.js');
  const { missingJobs } = await import('#data/imports/preview/missing-jobs.js');
  const { withDue } = await import('#data/imports/preview/missing-due.js');
  const how = omitUndefined({ mode, exports });
  const { smallBudget } = await import('#data/imports/preview/request-budget.js');
  const budget = smallBudget(connection, 'plan');
  const previewing = { ...input, reader: connection.client, budget, identities, ...how };
  const previewed = await previewJobs(planOf(jobs), jobs, previewing);
  const folder = join(await input.spool.path(), 'missing');
  const missing = await missingJobs(previewed, {
    ...input,
    ...{
      project: input.config,
      folder,
      leftOut: selection.leftOut,
      definitionNamed: (name) => definitionNamed(input, name),
    },
  });
  return [...withDue(previewed, (address) => missing.due.has(address)), ...missing.jobs];
}
