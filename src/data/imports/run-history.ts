import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { digest } from '#core/engine/normal-form.js';
import type { ImportSpec } from '#core/jobs/import.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import type { JobFacts } from '#core/model/job-facts.js';
import { type JobRun, type JobState, nameOfRuns, openState, settledState } from '#core/model/job-state.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import type { OpenRunsSeen } from '#core/model/plan.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Reader } from '#service/client.js';
import type { Identities } from '#service/identities.js';
import { type ImportRun, listImportRuns } from '#service/import-runs.js';
import type { PreparedImport } from '../bulk/prepare.js';
import { prepareSubmitted, type SubmittedReading } from './prepare-submitted.js';

/** Finds out from the runs in a workspace what became of rows that the ledger does not know. */
export interface RunHistory {
  /** Finds the state of rows that were committed before; nothing if they were not. */
  committed(query: HistoryQuery): Promise<Pick<JobFacts, 'state' | 'found' | 'unclear'>>;
  /** The runs that a plan was reviewed with; undefined if they are gone. `taken`: their commit was requested. */
  reviewed(definition: string, seen: OpenRunsSeen): Promise<JobState | 'taken' | undefined>;
}

/** The rows that may have been committed before, and the definition that they would go through. */
export interface HistoryQuery extends Pick<SubmittedReading, 'spec' | 'definition'> {
  readonly prepared: PreparedImport;
  /** For rows that are fetched to be compared; a subfolder is created in it. */
  readonly folder: string;
}

/** The most runs with the same number of rows that are compared, the newest first. */
const MOST_COMPARED = 20;

/** Asks the workspace for runs that the ledger does not know; one list request for each definition. */
export function runHistory(
  reader: Reader,
  identities: Identities,
  { imports }: Pick<LedgerState, 'imports'>,
): RunHistory {
  const known = new Set([...imports.values()].flatMap(({ job }) => job.runs.map(({ run }) => run)));
  const lists = new Map<string, Promise<readonly ImportRun[]>>();
  /** Lists the runs of a definition with one request. A definition that does not exist yet has no runs. */
  const runsOf = async (name: string): Promise<Listed> => {
    const identity = identities.identityNamed(importDefinition.name, name);
    const definition = identity === undefined ? undefined : identities.withIdentity(importDefinition.name, identity);
    if (definition === undefined) return { definition: '', runs: [] };
    const list = lists.get(definition) ?? listImportRuns(reader, definition);
    lists.set(definition, list);
    return { definition, runs: await list };
  };
  return {
    async committed(query) {
      const { spec, prepared } = query;
      const { definition, runs } = await runsOf(spec.definition);
      const others = runs.filter((run) => run.commit && run.status !== 'ERROR' && !known.has(run.guid));
      let unclear: JobFacts['unclear'];
      for (const chosen of alike(others, prepared)) {
        const own = jobRuns(chosen, definition, prepared.parts);
        const rows = await rowsOf(chosen, own, query, reader);
        // The service does not show which physical files were sent with the rows.
        if (rows === 'gone' || (rows === 'same' && (prepared.files?.count ?? 0) > 0))
          unclear ??= { runs: nameOfRuns(own) ?? 'a run', at: endOf(chosen) };
        else if (rows === 'same') return { state: stateOf(chosen, own, spec), found: 'in workspace' };
      }
      return omitUndefined({ unclear });
    },
    async reviewed(name, { parts = [], phase, validated }) {
      const { definition, runs } = await runsOf(name);
      const byIdentity = new Map<LiveIdentity, ImportRun>(runs.map((run) => [digest(run.guid), run]));
      const found = parts.map(({ run }) => byIdentity.get(run)).filter((run) => run !== undefined);
      if (found.length === 0 || found.length < parts.length) return undefined;
      if (found.some(({ commit }) => commit)) return 'taken';
      const own = jobRuns(found, definition, parts).map((run) => ({ ...run, commit: 'no' as const }));
      return { state: phase, runs: own, ...omitUndefined({ validated }) };
    },
  };
}

interface Listed {
  readonly definition: string;
  readonly runs: readonly ImportRun[];
}

type Rows = Pick<PreparedImport['parts'][number], 'first' | 'last'>;

/** Series of consecutive runs with as many rows as the parts of the import, the newest first. */
function alike(runs: readonly ImportRun[], { parts }: PreparedImport): readonly (readonly ImportRun[])[] {
  const inOrder = [...runs].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  const windows = inOrder.map((_, index) => inOrder.slice(index, index + parts.length));
  const holds = (window: readonly ImportRun[]): boolean =>
    window.length === parts.length &&
    window.every(({ totalCount }, index) => totalCount === rowsIn(parts[index] as Rows));
  return windows.filter(holds).reverse().slice(0, MOST_COMPARED);
}

const rowsIn = ({ first, last }: Rows): number => last - first + 1;

const jobRuns = (runs: readonly ImportRun[], definition: string, parts: readonly Rows[]): JobRun[] =>
  runs.map(({ guid, number, status }, index) => ({
    run: guid,
    ...omitUndefined({ number }),
    definition,
    first: parts[index]?.first ?? 1,
    last: parts[index]?.last ?? 1,
    commit: status === 'COMPLETE' ? 'done' : 'begun',
  }));

/** Whether runs were sent the same rows. The service keeps these for 60 days (wire-facts 4). */
async function rowsOf(
  runs: readonly ImportRun[],
  own: readonly JobRun[],
  { spec, definition, prepared, folder }: HistoryQuery,
  reader: Reader,
): Promise<'same' | 'other' | 'gone'> {
  if (runs.some(({ status }) => status === 'PURGED')) return 'gone';
  const reading = { runs: own, spec, definition, folder: join(folder, `run-${own[0]?.run}`), reader };
  const submitted = await prepareSubmitted(reading).catch((error: unknown) => {
    if (error instanceof DexsyncError && error.code === 'SERVICE_ERROR') return undefined;
    throw error;
  });
  if (submitted === undefined) return 'gone';
  return submitted.rowsDigest === prepared.rowsDigest ? 'same' : 'other';
}

const endOf = (runs: readonly ImportRun[]): string => runs.at(-1)?.completedAt ?? '';

function stateOf(runs: readonly ImportRun[], own: readonly JobRun[], { commit: rule = 'clean' }: ImportSpec): JobState {
  if (own.some(({ commit }) => commit === 'begun')) return openState(own);
  const sum = (count: (run: ImportRun) => number): number => runs.reduce((total, run) => total + count(run), 0);
  const [rows, failed] = [sum(({ totalCount }) => totalCount), sum(({ errorCount = 0 }) => errorCount)];
  const succeeded = sum(({ successCount }) => successCount);
  return settledState({ outcome: 'committed', runs: own, rows, failed, succeeded }, rule, endOf(runs));
}
