import { omitUndefined } from '#base/omit-undefined.js';
import type { Acknowledgement } from '#core/model/acknowledgement.js';
import type { Address } from '#core/model/address.js';
import {
  isOpen,
  type JobRun,
  type JobState,
  nameOfRuns,
  runNumbers,
  type ValidationCounts,
} from '#core/model/job-state.js';
import { type PartialImport, partialImports, type RecordedImport } from '#core/model/partial-imports.js';
import type { ImportRequest, Plan } from '#core/model/plan.js';
import { type Undone, withUndos } from '#core/model/undone-imports.js';
import { foldJournals, type LedgerState } from '#ledger/fold.js';
import { jobRows } from '#ledger/history/job-results.js';
import { isOfState, type StateRecord } from '#ledger/journal-record.js';
import type { NumberedJournal } from '#ledger/ledger.js';
import { parseJournal } from '#ledger/parse-journal.js';

/** An import in the journals of a workspace, in its last known state. */
export interface KnownImport extends Undone {
  readonly address: Address;
  /** Digest of its content. */
  readonly key: string;
  readonly state: JobState['state'];
  /** The service's numbers of its runs. */
  readonly runs: readonly number[];
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The source of its rows, relative to the folder of the configuration. */
  readonly file: string;
  readonly definition: string;
  /** Rows sent, in effect, and failed; absent while a run is open. */
  readonly rows?: number;
  readonly committed?: number;
  readonly failed?: number;
  /** For an open run: the service has validated all of its rows, and it waits for a commit. */
  readonly validated?: ValidationCounts;
  /** Rows that neither it, nor a retry of it, nor a later commit of the import brought into the workspace. */
  readonly missing?: number;
  /** Somebody accepted that these rows stay out. */
  readonly acknowledgement?: Acknowledgement;
  /** Numbers of the runs that committed failed rows of it, and of those whose failed rows it sends again. */
  readonly retriedBy?: readonly number[];
  readonly retryOf?: readonly number[];
  /** The number of its apply in `history`. */
  readonly apply: number;
}

/** A known import with what is needed to resume it. */
export interface FoundImport extends KnownImport, RecordedImport {
  readonly request: ImportRequest;
  /** The name of the workspace. */
  readonly workspace: string;
  /** Other runs that committed the same content. */
  readonly committedBy?: readonly JobRun[];
}

/** Lists the imports of the journals, newest first. Content sent several times appears as often, by its first run. */
export async function knownImports(journals: readonly NumberedJournal[]): Promise<FoundImport[]> {
  const found = new Map<string, FoundImport>();
  const all: StateRecord[][] = [];
  for (const { number, text } of journals) {
    const { records, plan } = parseJournal(await text().catch(() => ''));
    all.push(records.filter(isOfState));
    const jobs = records.filter((record) => record.type === 'job');
    const made = jobs.length === 0 ? undefined : plan();
    const requests = requestsOf(made);
    for (const { address, key, job, at, facts = found.get(`${key} ${job.runs[0]?.run}`)?.facts } of jobs) {
      const sent = `${key} ${job.runs[0]?.run}`;
      const before = found.get(sent);
      const request = requests.get(key) ?? before?.request;
      if (request === undefined) continue;
      const workspace = made?.workspace.name ?? before?.workspace ?? '';
      found.delete(sent);
      found.set(sent, {
        ...knownImport(address, key, job),
        at,
        apply: number,
        ...placeOf(request),
        job,
        request,
        workspace,
        ...omitUndefined({ facts }),
      });
    }
  }
  const newest = endPostedBefore([...found.values()].reverse());
  return withUndos(withRetries(withCommits(newest), foldJournals(all)));
}

/** Ends runs of content that was posted again: that happens only once they are gone, before anything was committed. */
function endPostedBefore(newest: readonly FoundImport[]): FoundImport[] {
  const seen = new Set<string>();
  return newest.map((one) => {
    const { address, key, job, at, validated: _, ...rest } = one;
    const isOver = seen.has(key) && job.state === 'posted';
    seen.add(key);
    if (!isOver) return one;
    const ended = { state: 'failed', runs: job.runs, at } as const;
    return { ...rest, at, ...knownImport(address, key, ended), job: ended };
  });
}

/** Adds the runs that committed the same content to content that was sent several times. */
function withCommits(newest: readonly FoundImport[]): FoundImport[] {
  const oldest = [...newest].reverse();
  const committed = new Map(oldest.filter(({ state }) => state === 'committed').map((one) => [one.key, one]));
  return newest.map((one) => {
    const other = committed.get(one.key);
    return other === undefined || other === one ? one : { ...one, committedBy: other.job.runs };
  });
}

/** Adds what became of failed rows. `newest`: newest first; of content sent several times, only the newest counts. */
function withRetries(newest: readonly FoundImport[], state: LedgerState): FoundImport[] {
  const partial = new Map(partialImports([...state.imports.values()], state.acknowledged).map((one) => [one.key, one]));
  const seen = new Set<string>();
  return newest.map((one) => {
    const { key, facts } = one;
    const isNewest = !seen.has(key);
    seen.add(key);
    const retried = newest.find((other) => other.key === facts?.retries);
    return {
      ...one,
      ...(isNewest ? remainder(partial.get(key)) : {}),
      ...(retried === undefined ? {} : { retryOf: retried.runs }),
    };
  });
}

function remainder(partial: PartialImport | undefined): Partial<KnownImport> {
  if (partial === undefined) return {};
  const { job, committed, acknowledgement, retriedBy } = partial;
  return {
    missing: job.rows - committed,
    ...omitUndefined({ acknowledgement }),
    ...(retriedBy.length === 0 ? {} : { retriedBy }),
  };
}

/** `Import/Lamp parts (run #12)`. */
export function calledRun({ address, job }: Pick<FoundImport, 'address' | 'job'>): string {
  const runs = nameOfRuns(job.runs);
  return runs === undefined ? address : `${address} (${runs})`;
}

const knownImport = (address: Address, key: string, job: JobState) => ({
  address,
  key,
  state: job.state,
  runs: runNumbers(job.runs),
  ...jobRows(job),
  ...(isOpen(job) && job.validated !== undefined ? { validated: job.validated } : {}),
});

const placeOf = ({ path, spec }: ImportRequest) => ({ file: path, definition: String(spec.definition) });

function requestsOf(plan: Plan | undefined): Map<string, ImportRequest> {
  const writes = (plan?.steps ?? []).flatMap((step) => step.writes);
  return new Map(writes.flatMap((write) => (write.verb === 'import' ? [[write.key, write.request] as const] : [])));
}
