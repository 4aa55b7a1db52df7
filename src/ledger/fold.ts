import { omitUndefined } from '#base/omit-undefined.js';
import type { Acknowledgement } from '#core/model/acknowledgement.js';
import type { Address } from '#core/model/address.js';
import type { Guid } from '#core/model/kind.js';
import { type LiveIdentity, lastIdentity, type ObjectFact } from '#core/model/object-fact.js';
import type { RecordedImport } from '#core/model/partial-imports.js';
import type { DeletionRecord, JobRecord, ObjectRecord, StateRecord } from './journal-record.js';
import { continueLineage, replacementOf } from './lineage.js';

/** The GUID by which an object is read if a list does not show it. */
export interface RecordedGuid {
  readonly guid: Guid;
  /** When it was recorded, ISO 8601 in UTC; absent once dexsync was about to delete the object. */
  readonly at?: string;
}

/** What dexsync knows about a workspace beyond its live state. */
export interface LedgerState {
  /** Imports in their last known state, by the key of their content. */
  readonly imports: ReadonlyMap<string, RecordedImport>;
  readonly objects: ReadonlyMap<Address, ObjectFact>;
  /** Of objects that replaced others: the identity of the first of them, by their own. */
  readonly lineages: ReadonlyMap<LiveIdentity, LiveIdentity>;
  /** GUIDs of `objects`; absent for objects that earlier versions recorded. */
  readonly guids: ReadonlyMap<LiveIdentity, RecordedGuid>;
  /** Objects that were deleted, by their GUIDs, and when that was recorded. */
  readonly deleted: ReadonlyMap<Guid, { readonly address: Address; readonly at: string }>;
  /** Manual steps that somebody did and the service cannot show, and imports whose failed rows somebody accepted. */
  readonly acknowledged: ReadonlyMap<Address, Acknowledgement>;
  /** Number of rows in the last committed content of each import. */
  readonly committedRows: ReadonlyMap<Address, number>;
}

/** The state of a ledger without journals. */
export const EMPTY_STATE: LedgerState = {
  imports: new Map(),
  objects: new Map(),
  lineages: new Map(),
  guids: new Map(),
  deleted: new Map(),
  acknowledged: new Map(),
  committedRows: new Map(),
};

/** Returns records that add up to a state. */
export function stateRecords(
  { imports, objects, lineages, guids, deleted, acknowledged, committedRows }: LedgerState,
  at: string,
): StateRecord[] {
  const ofJobs = [...imports.values()].map(
    (one): StateRecord => ({ type: 'job', at: ('at' in one.job && one.job.at) || at, ...one }),
  );
  const isNewest = (record: StateRecord): boolean =>
    record.type === 'job' &&
    record.job.state === 'committed' &&
    committedRows.get(record.address) === (record.job.of ?? record.job.rows);
  return [
    ...[...deleted].map(([guid, one]): StateRecord => ({ type: 'object', ...one, object: null, guid })),
    ...[...objects].flatMap(([address, object]): StateRecord[] => {
      const record = { type: 'object', at, ...guids.get(lastIdentity(object)), address, object } as const;
      const first = object.identity === undefined ? undefined : lineages.get(object.identity);
      return first === undefined ? [record] : [replacementOf(first, record), record];
    }),
    ...[...acknowledged].map(
      ([address, acknowledgement]): StateRecord => ({ type: 'acknowledgement', at, address, acknowledgement }),
    ),
    // What happened to imports, and when, is read in this order; of equal times, the newest commit comes last.
    ...[...ofJobs.filter((record) => !isNewest(record)), ...ofJobs.filter(isNewest)].sort((one, other) =>
      one.at.localeCompare(other.at),
    ),
  ];
}

/** Folds the journals of a workspace, oldest first, into a state, starting from `before`. */
export function foldJournals(journals: Iterable<readonly StateRecord[]>, before = EMPTY_STATE): LedgerState {
  const imports = new Map<string, RecordedImport>(before.imports);
  const objects = new Map<Address, ObjectFact>(before.objects);
  const lineages = new Map<LiveIdentity, LiveIdentity>(before.lineages);
  const guids = new Map<LiveIdentity, RecordedGuid>(before.guids);
  const deleted = new Map(before.deleted);
  const acknowledged = new Map<Address, Acknowledgement>(before.acknowledged);
  const committedRows = new Map<Address, number>(before.committedRows);
  const addJob = ({ key, job, address, facts = imports.get(key)?.facts }: JobRecord): void => {
    imports.set(key, { address, key, job, ...omitUndefined({ facts }) });
    if (job.state === 'committed') committedRows.set(address, job.of ?? job.rows);
  };
  const addObject = ({ address, object, guid, at }: ObjectRecord): void => {
    // A later record of the object ends the acknowledgement of a manual step.
    acknowledged.delete(address);
    continueLineage(objects.get(address), object, lineages);
    if (object === null) objects.delete(address);
    else objects.set(address, object);
    if (guid === undefined) return;
    if (object === null) deleted.set(guid, { address, at });
    else {
      deleted.delete(guid);
      guids.set(lastIdentity(object), { guid, at });
    }
  };
  for (const records of journals) {
    for (const record of records) {
      if (record.type === 'job') addJob(record);
      else if (record.type === 'object') addObject(record);
      else if (record.type === 'deletion') expectGone(record, guids);
      else acknowledged.set(record.address, record.acknowledgement);
    }
  }
  return { imports, objects, lineages, guids, deleted, acknowledged, committedRows };
}

function expectGone({ identity }: DeletionRecord, guids: Map<LiveIdentity, RecordedGuid>): void {
  const guid = guids.get(identity)?.guid;
  if (guid !== undefined) guids.set(identity, { guid });
}
