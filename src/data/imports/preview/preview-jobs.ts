import { join } from 'node:path';
import type { SpoolFolder } from '#base/files/spool-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import {
  hasMode,
  type ImportDefinitionSpec,
  importDefinition,
  parseImportDefinition,
} from '#core/kinds/import-definition.js';
import type { Address } from '#core/model/address.js';
import { isOpen } from '#core/model/job-state.js';
import type { Observation } from '#core/model/observation.js';
import type { Plan } from '#core/model/plan.js';
import { undoneImports } from '#core/model/undone-imports.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Host } from '#project/host.js';
import type { Reader } from '#service/client.js';
import { type Identities, identityOf } from '#service/identities.js';
import type { ItemExports } from '#service/item-exports.js';
import { placesOfLines } from '../../bulk/rows/places-of-lines.js';
import { parseCovers } from '../covers.js';
import { allRowsOf, commitRule, type Job, jobDefinition, jobSpec } from '../job.js';
import { chooseReadBack } from '../job-facts.js';
import { priceOfImport } from '../run/price.js';
import { KEPT_CHANGES } from './changes-file.js';
import { EXPORT_PATIENCE } from './export/read-by-export.js';
import { lastImport } from './last-import.js';
import { createDueTest } from './missing-due.js';
import { type PreviewContext, type PreviewedRows, previewRows } from './preview-rows.js';
import { comparingEvents } from './read-records.js';
import { releasedParents } from './released-parents.js';
import { openBudget, type RequestBudget } from './request-budget.js';

/** How the rows of imports are compared before they are sent. `full`: at any cost. */
export type PreviewMode = 'auto' | 'none' | 'full';

/** What comparing the imports of a plan needs. */
export interface PreviewJobsContext {
  readonly reader: Reader;
  readonly identities: Identities;
  readonly observation: Observation;
  readonly state: LedgerState;
  readonly spool: SpoolFolder;
  readonly host: Host;
  /** Takes precedence over the manifests. */
  readonly mode?: PreviewMode;
  /** Requests that `auto` may spend on all imports together. */
  readonly budget: RequestBudget;
  /** Exports by which `full` may read records; they write to the workspace. */
  readonly exports?: ItemExports;
}

/** Compares the rows of the imports that a plan would send with the workspace. */
export async function previewJobs(
  plan: Plan,
  jobs: readonly Job[],
  previewing: PreviewJobsContext,
): Promise<readonly Job[]> {
  const { state } = previewing;
  const sending = sentImports(plan);
  const previewed: Job[] = [];
  for (const [index, job] of jobs.entries()) {
    const mode = previewing.mode ?? jobSpec(job).preview ?? 'auto';
    const isSent = sending.has(job.facts.address);
    if (mode === 'none' || !(isSent || isDue(job, state))) {
      previewed.push(mode === 'none' ? withoutComparison(job) : job);
      continue;
    }
    const found = await previewOf(job, mode, `preview-${index}`, previewing);
    previewed.push({
      ...(isSent ? await asPreviewed(await withChangeCheck(job, found, previewing), found) : withPreview(job, found)),
      ...comparedIn(found, job),
    });
  }
  return previewed;
}

async function previewOf(
  job: Job,
  mode: PreviewMode,
  name: string,
  previewing: PreviewJobsContext,
): Promise<PreviewedRows> {
  const { reader, spool, state, identities } = previewing;
  const { address } = job.facts;
  const budget = mode === 'full' ? openBudget(reader, Number.POSITIVE_INFINITY) : previewing.budget;
  const last = lastImport(state, address);
  const covering = hasRows(job) ? parseCovers(jobSpec(job), identities) : undefined;
  return previewRows(job, {
    ...portsOf(address, previewing),
    ...(mode === 'full' ? exportPortsOf(previewing) : {}),
    ...omitUndefined({ covering, last }),
    ...{ budget, folder: join(await spool.path(), name) },
    definitionWith: (guid) => definitionWith(guid, previewing),
  });
}

function definitionWith(guid: string, { observation }: PreviewJobsContext): ImportDefinitionSpec | undefined {
  const identity = identityOf(guid);
  const live = observation.objects.get(importDefinition.name)?.find((one) => one.identity === identity);
  return live === undefined || live.odd !== undefined ? undefined : parseImportDefinition(live.spec);
}

/** Whether an import that is not sent again still has records to delete, since a command or guard stopped that. */
function isDue(job: Job, state: LedgerState): boolean {
  const { address, key } = job.facts;
  if (jobSpec(job).missing !== 'delete' || !createDueTest(state, address)(key)) return false;
  return !undoneImports([...state.imports.values()]).some((one) => one.key === key);
}

/** A file without rows is more likely broken than complete. */
const hasRows = (job: Job): boolean => allRowsOf(job).rows > 0;

const comparedIn = ({ changes }: PreviewedRows, { prepared: { only } }: Job): Pick<Job, 'compared'> =>
  changes === undefined ? {} : { compared: { changes, ...omitUndefined({ only }) } };

const withPreview = (job: Job, { preview }: PreviewedRows): Job => ({ ...job, facts: { ...job.facts, preview } });

/** Records that the rows of an import are not compared, without which nobody knows which of them some imports send. */
export const withoutComparison = (job: Job): Job => withUncompared(job, 'a preview is not wanted');

function withUncompared(job: Job, why: string): Job {
  const { send = 'all' } = jobSpec(job);
  return send === 'all' ? job : { ...job, facts: { ...job.facts, uncompared: why } };
}

/** Adds the result of the comparison, and keeps only the rows that `send` means. */
async function asPreviewed(job: Job, { preview, differing, incomplete = 0 }: PreviewedRows): Promise<Job> {
  const facts = { ...job.facts, preview, findings: findingsOf(job, incomplete) };
  const { send = 'all' } = jobSpec(job);
  if (send === 'all' || isOpen(facts.state)) return { ...job, facts };
  if (differing === undefined) return withUncompared({ ...job, facts }, preview.why ?? 'they have no records');
  if (send === 'new' && isReplacing(job))
    return withUncompared({ ...job, facts }, 'in mode REPLACE the rows of a parent are all that it is to have');
  if (differing.count === job.prepared.rows) return { ...job, facts };
  const { unsent = 0, rows, request, repeated: _, ...rest } = facts;
  const some = { rows: differing.count, unsent: unsent + rows - differing.count };
  if (differing.count === 0) return { ...job, facts: { ...facts, ...some } };
  const places = placesOfLines(differing, job.prepared);
  const prepared = await job.prepareOnly(places);
  return {
    ...job,
    prepared,
    facts: {
      ...rest,
      ...some,
      ...(prepared.repeats === undefined ? {} : { repeated: prepared.repeats.count }),
      request: { ...request, only: String(places) },
      requests: priceOfImport(prepared.parts, commitRule(job), {
        ...jobSpec(job),
        ...chooseReadBack({ spec: jobDefinition(job) }),
      }),
    },
  };
}

/** Emits a warning if the lines of released items need a change; `failOn: warning` does not accept it. */
async function withChangeCheck(job: Job, found: PreviewedRows, { host }: PreviewJobsContext): Promise<Job> {
  const diagnostic = await releasedParents(job, found);
  if (diagnostic === undefined) return job;
  host.emit({ type: 'diagnostic', diagnostic });
  const { facts } = job;
  const isStopped = jobSpec(job).failOn === 'warning';
  return isStopped ? { ...job, facts: { ...facts, findings: { ...facts.findings, accepted: 'no' } } } : job;
}

/** Rows that cannot create their record are errors of their file, which the comparison alone finds; other rules accept them. */
const findingsOf = ({ facts: { findings, rule } }: Job, incomplete: number): Job['facts']['findings'] =>
  incomplete === 0 || rule !== 'clean' ? findings : { errors: findings.errors + incomplete, accepted: 'no' };

const isReplacing = (job: Job): boolean => hasMode(jobDefinition(job), 'REPLACE');

function portsOf(address: Address, { reader, identities, host }: PreviewJobsContext) {
  return { reader, identities, keep: KEPT_CHANGES, signal: host.signal, onRead: comparingEvents(address, host) };
}

const exportPortsOf = ({ exports, host }: PreviewJobsContext): Pick<PreviewContext, 'exporting'> =>
  exports === undefined ? {} : { exporting: { exports, host, patience: EXPORT_PATIENCE } };

/** Imports of which nothing was committed yet. */
const sentImports = ({ steps }: Plan): ReadonlySet<Address> =>
  new Set(
    steps
      .filter(({ writes }) =>
        writes.some(
          (write) => write.verb === 'import' && write.resume?.phase !== 'committing' && write.done === undefined,
        ),
      )
      .map(({ address }) => address),
  );
