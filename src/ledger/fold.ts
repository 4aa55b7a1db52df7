import type { Acknowledgement } from '#core/model/acknowledgement.js';
import type { Address } from '#core/model/address.js';
import type { JobState } from '#core/model/job-state.js';
import type { Guid } from '#core/model/kind.js';
import { type LiveIdentity, lastIdentity, type ObjectFact } from '#core/model/object-fact.js';
import type { ImportFacts, RecordedImport } from '#core/model/partial-imports.js';
import type { DeletionRecord, JobRecord, ObjectRecord, StateRecord } from './journal-record.js';

/** What an object is read by where a list does not show it. */
export interface RecordedGuid {
  readonly guid: Guid;
  /** When that was recorded, ISO 8601 in UTC; absent once dexsync was about to delete it. */
  readonly at?: string;
}

/** What dexsync knows of a workspace beyond its live state. */
export interface LedgerState {
  /** By the key of their content. */
  readonly jobs: ReadonlyMap<string, JobState>;
  /** The imports that had that content, by the same keys. */
  readonly imports: ReadonlyMap<string, Address>;
  /** Who sent that content, by the same keys; nothing of what earlier versions recorded. */
  readonly importFacts: ReadonlyMap<string, ImportFacts>;
  readonly objects: ReadonlyMap<Address, ObjectFact>;
  /** Of `objects`; not of those that earlier versions recorded. */
  readonly guids: ReadonlyMap<LiveIdentity, RecordedGuid>;
  /** Objects that were deleted, by their GUIDs, and when that was recorded. */
  readonly deleted: ReadonlyMap<Guid, { readonly address: Address; readonly at: string }>;
  /** Manual steps that somebody did and the service cannot show, and imports whose failed rows somebody accepted. */
  readonly acknowledged: ReadonlyMap<Address, Acknowledgement>;
  /** Rows of the last content of each import that was committed. */
  readonly committedRows: ReadonlyMap<Address, number>;
}

/** The state of a ledger without journals. */
export const EMPTY_STATE: LedgerState = {
  jobs: new Map(),
  imports: new Map(),
  importFacts: new Map(),
  objects: new Map(),
  guids: new Map(),
  deleted: new Map(),
  acknowledged: new Map(),
  committedRows: new Map(),
};

/** Records that add up to a state. */
export function recordsOf(
  { jobs, imports, importFacts, objects, guids, deleted, acknowledged, committedRows }: LedgerState,
  at: string,
): StateRecord[] {
  const ofJobs = [...jobs].flatMap(([key, job]): StateRecord[] => {
    const address = imports.get(key);
    const facts = importFacts.get(key);
    return address === undefined
      ? []
      : [{ type: 'job', at, address, key, job, ...(facts === undefined ? {} : { facts }) }];
  });
  const isNewest = (record: StateRecord): boolean =>
    record.type === 'job' &&
    record.job.state === 'committed' &&
    committedRows.get(record.address) === (record.job.of ?? record.job.rows);
  return [
    ...[...deleted].map(([guid, one]): StateRecord => ({ type: 'object', ...one, object: null, guid })),
    ...[...objects].map(
      ([address, object]): StateRecord => ({ type: 'object', at, ...guids.get(lastIdentity(object)), address, object }),
    ),
    ...[...acknowledged].map(
      ([address, acknowledgement]): StateRecord => ({ type: 'acknowledgement', at, address, acknowledgement }),
    ),
    ...ofJobs.filter((record) => !isNewest(record)),
    ...ofJobs.filter(isNewest),
  ];
}

/** The records of a workspace's journals, oldest first, as the state that they add up to after what was known before. */
export function foldJournals(journals: Iterable<readonly StateRecord[]>, before = EMPTY_STATE): LedgerState {
  const jobs = new Map<string, JobState>(before.jobs);
  const imports = new Map<string, Address>(before.imports);
  const importFacts = new Map<string, ImportFacts>(before.importFacts);
  const objects = new Map<Address, ObjectFact>(before.objects);
  const guids = new Map<LiveIdentity, RecordedGuid>(before.guids);
  const deleted = new Map(before.deleted);
  const acknowledged = new Map<Address, Acknowledgement>(before.acknowledged);
  const committedRows = new Map<Address, number>(before.committedRows);
  const addJob = ({ key, job, address, facts }: JobRecord): void => {
    jobs.set(key, job);
    imports.set(key, address);
    if (facts !== undefined) importFacts.set(key, facts);
    if (job.state === 'committed') committedRows.set(address, job.of ?? job.rows);
  };
  const addObject = ({ address, object, guid, at }: ObjectRecord): void => {
    // What dexsync does with the object is no longer what somebody did by hand.
    acknowledged.delete(address);
    if (object === null) objects.delete(address);
    else objects.set(address, object);
    if (guid === undefined) return;
    if (object === null) deleted.set(guid, { address, at });
    else {
      deleted.delete(guid);
      guids.set(lastIdentity(object), { guid, at });
    }
  };
  const expectGone = ({ identity }: DeletionRecord): void => {
    const guid = guids.get(identity)?.guid;
    if (guid !== undefined) guids.set(identity, { guid });
  };
  for (const records of journals) {
    for (const record of records) {
      if (record.type === 'job') addJob(record);
      else if (record.type === 'object') addObject(record);
      else if (record.type === 'deletion') expectGone(record);
      else acknowledged.set(record.address, record.acknowledgement);
    }
  }
  return { jobs, imports, importFacts, objects, guids, deleted, acknowledged, committedRows };
}

/** Each content of an import that the ledger knows. */
export const recordedImports = ({ jobs, imports, importFacts }: LedgerState): RecordedImport[] =>
  [...imports].flatMap(([key, address]) => {
    const job = jobs.get(key);
    return job === undefined ? [] : [{ address, key, job, facts: importFacts.get(key) }];
  });
