import { join } from 'node:path';
import { DexsyncError, throwIfInterrupted } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import type { ImportDrift } from '#core/model/import-drift.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { nameOfRuns } from '#core/model/job-state.js';
import type { Observation } from '#core/model/observation.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import type { Identities } from '#service/identities.js';
import { ServiceError } from '#service/service-error.js';
import { LaterWrites, type WrittenRows } from '../../bulk/compare/later-writes.js';
import { type Job, jobDefinition } from '../job.js';
import type { JobInput } from '../job-facts.js';
import { calledRun, type FoundImport } from '../known-imports.js';
import { prepareFound } from '../prepare-found.js';
import { comparingEvents, readRecords } from '../preview/read-records.js';
import type { RequestBudget } from '../preview/request-budget.js';
import { rowsWithoutEffect } from '../read-outcome.js';
import { driftOfRows } from './drift-of-rows.js';

/** What comparing committed imports needs. */
export interface DataDriftInput {
  /** All known imports, the newest first. */
  readonly known: readonly FoundImport[];
  readonly connection: Connection;
  readonly identities: Identities;
  readonly observation: Observation;
  readonly project: JobInput['project'];
  readonly spool: string;
  readonly budget: RequestBudget;
  readonly host: Host;
}

/** The last commit of each import, the newest first. */
function lastCommits(known: readonly FoundImport[]): FoundImport[] {
  const committed = known.filter(({ state, committed: rows = 0 }) => state === 'committed' && rows > 0);
  const seen = new Set<Address>();
  return committed.filter(({ address }) => {
    const first = !seen.has(address);
    seen.add(address);
    return first;
  });
}

/** Finds changes to the rows that each import committed last. An import that cannot be compared says why. */
export async function driftOfImports(input: DataDriftInput): Promise<ImportDrift[]> {
  const later = new LaterWrites();
  /** Resources with a later import that cannot be read, and its name. */
  const unread = new Map<string, string>();
  const found: ImportDrift[] = [];
  for (const [index, one] of lastCommits(input.known).entries()) {
    throwIfInterrupted(input.host.signal, 'comparing rows');
    const folder = join(input.spool, `drift-${index}`);
    await makeFolder(folder, 0o700);
    found.push({ ...factsOf(one), ...(await driftOfImport(one, folder, later, unread, input)) });
  }
  return found;
}

const factsOf = ({ address, job, at, file, definition, rows = 0 }: FoundImport) => {
  const runs = nameOfRuns(job.runs);
  return { address, ...omitUndefined({ runs }), at, file, definition, rows };
};

type Outcome = Pick<ImportDrift, 'by' | 'why' | 'code' | 'counts' | 'columnsNotCompared' | 'changes'>;

async function driftOfImport(
  one: FoundImport,
  folder: string,
  later: LaterWrites,
  unread: Map<string, string>,
  input: DataDriftInput,
): Promise<Outcome> {
  const { budget } = input;
  const resource = resourceNamed(String(one.request.definition.spec.resource));
  if (resource.compared === undefined)
    return { why: `dexsync cannot read the records of ${resource.name}`, changes: [] };
  const written = await rowsOf(one, folder, input).catch(asReason);
  if ('why' in written) {
    unread.set(resource.name, calledRun(one));
    return { ...written, changes: [] };
  }
  const over = unread.get(resource.name);
  const compared =
    over !== undefined
      ? {
          why: `${over} was committed later and may have changed the same records, and its rows cannot be read`,
          changes: [],
        }
      : budget.left() < 1
        ? { why: budget.over, changes: [] }
        : await compareWritten(written, folder, later, input);
  await later.add(written);
  return compared;
}

interface Written extends WrittenRows {
  readonly job: Job;
  readonly prepared: Job['prepared'];
}

/** The rows of an import, from its source or its runs, and which of them failed. */
async function rowsOf(
  found: FoundImport,
  folder: string,
  { connection, observation, project, budget, host }: DataDriftInput,
): Promise<Written | Unread> {
  if (budget.left() < found.job.runs.length) return { why: budget.over };
  const quiet: Host = { ...host, emit: () => undefined };
  const job = await prepareFound({ found, folder, project, observation }, connection, quiet);
  const ports = { reader: connection.client, signal: host.signal };
  const { rows: failed } = await rowsWithoutEffect(found, job.prepared, ports);
  return { job, prepared: job.prepared, definition: jobDefinition(job), failed };
}

async function compareWritten(
  { job, ...written }: Written,
  folder: string,
  later: LaterWrites,
  { connection, identities, budget, host }: DataDriftInput,
): Promise<Outcome> {
  const { signal } = host;
  const read = await readRecords({
    ...{ ...written, folder, reader: connection.client, identities, budget, signal },
    onRead: comparingEvents(job.facts.address, host),
  }).catch(asReason);
  if ('why' in read) return { ...read, changes: [] };
  try {
    return { by: read.by, ...(await driftOfRows({ ...written, records: read.records, folder, later, signal })) };
  } finally {
    read.records.close();
  }
}

const UNREAD: ReadonlySet<string> = new Set([
  'RUN_GONE',
  'SERVICE_ERROR',
  'ANSWER_UNEXPECTED',
  'NETWORK',
  'FILE_UNREADABLE',
]);

/** Turns an unreadable import into a reason, so that the others are still compared. A refusal lasts: it is not a failure. */
function asReason(error: unknown): Unread {
  if (!(error instanceof DexsyncError) || !UNREAD.has(error.code)) throw error;
  const message = error.message.replace(/\.$/, '');
  if (error.code === 'RUN_GONE') return { why: `the service keeps runs for 60 days: ${message}` };
  const isRefused = error instanceof ServiceError && error.status < 500;
  return { why: `reading failed: ${message}`, ...(isRefused ? {} : { code: error.code }) };
}

type Unread = Required<Pick<Outcome, 'why'>> & Pick<Outcome, 'code'>;
