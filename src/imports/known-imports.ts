import { jobRows } from '../ledger/history/job-results.js';
import type { NumberedJournal } from '../ledger/ledger.js';
import { parseJournal } from '../ledger/parse-journal.js';
import type { Address } from '../model/address.js';
import { isOpen, type JobRun, type JobState, type ValidationCounts } from '../model/job-state.js';
import type { ImportRequest, Plan } from '../model/plan.js';

/** An import that the journals of a workspace tell of, as it was heard of last. */
export interface KnownImport {
  readonly address: Address;
  /** Digest of its content. */
  readonly key: string;
  readonly state: JobState['state'];
  /** The service's numbers of its runs. */
  readonly runs: readonly number[];
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Where its rows were read from, from the folder of the configuration. */
  readonly file: string;
  readonly definition: string;
  /** Rows sent, in effect, and failed; absent while a run is open. */
  readonly rows?: number;
  readonly committed?: number;
  readonly failed?: number;
  /** Of an open run: the service has validated all of its rows, and it waits for a commit. */
  readonly validated?: ValidationCounts;
  /** Which apply it was, as `history` counts them. */
  readonly apply: number;
}

/** The same with what is needed to go on with it. */
export interface FoundImport extends KnownImport {
  readonly job: JobState;
  readonly request: ImportRequest;
  /** The name of the workspace. */
  readonly workspace: string;
  /** The same content was committed by other runs. */
  readonly committedBy?: readonly JobRun[];
}

/** Every import of the journals, the newest first. Content that was sent several times is there as often, by its first run. */
export async function knownImports(journals: readonly NumberedJournal[]): Promise<FoundImport[]> {
  const found = new Map<string, FoundImport>();
  for (const { number, text } of journals) {
    const { records, plan } = parseJournal(await text().catch(() => ''));
    const jobs = records.filter((record) => record.type === 'job');
    const made = jobs.length === 0 ? undefined : plan();
    const requests = requestsOf(made);
    for (const { address, key, job, at } of jobs) {
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
      });
    }
  }
  const committed = new Map(
    [...found.values()].filter(({ state }) => state === 'committed').map((one) => [one.key, one]),
  );
  return [...found.values()].reverse().map((one) => {
    const other = committed.get(one.key);
    return other === undefined || other === one ? one : { ...one, committedBy: other.job.runs };
  });
}

const knownImport = (address: Address, key: string, job: JobState) => ({
  address,
  key,
  state: job.state,
  runs: numbersOf(job.runs),
  ...jobRows(job),
  ...(isOpen(job) && job.validated !== undefined ? { validated: job.validated } : {}),
});

const numbersOf = (runs: readonly JobRun[]): number[] =>
  runs.flatMap(({ number }) => (number === undefined ? [] : [number]));

const placeOf = ({ path, spec }: ImportRequest) => ({ file: path, definition: String(spec.definition) });

function requestsOf(plan: Plan | undefined): Map<string, ImportRequest> {
  const writes = (plan?.steps ?? []).flatMap((step) => step.writes);
  return new Map(writes.flatMap((write) => (write.verb === 'import' ? [[write.key, write.request] as const] : [])));
}
