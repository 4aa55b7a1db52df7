import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Address } from '#core/model/address.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { type ImportCommit, importCommits, type RecordedCommit } from '#core/model/partial-imports.js';
import { allUndone } from '#core/model/undone-imports.js';
import type { LedgerState } from '#ledger/fold.js';
import { type KeptValue, KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { listTargets } from '../../bulk/compare/targets.js';
import { formOfField } from '../../bulk/compare/value-form.js';
import { createRowFields } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { joinKey, KeyIndex } from '../../bulk/rows/key-index.js';
import { readAllRows } from '../../bulk/rows/spooled-rows.js';
import { addressOfMissing, createDueTest } from './missing-due.js';

/** A commit of an import with its retries, or only those if the commit itself was undone. */
export interface LastCommit {
  readonly sent: ImportCommit;
  /** `settled`: all rows of its file were sent, and no record that the file lacks is still to be deleted. */
  readonly is: 'settled' | 'partial';
}

/** The commits of an import that were not undone. */
export interface LastImport {
  /** The newest first. */
  readonly commits: readonly [LastCommit, ...LastCommit[]];
  /** Commits that deleted records that its files no longer had. */
  readonly deletions: readonly RecordedCommit[];
}

/** Finds the commits that the ledger knows under an address. */
export function lastImport(state: LedgerState, address: Address): LastImport | undefined {
  const isDue = createDueTest(state, address);
  const recorded = [...state.imports.values()];
  const undone = new Set(allUndone(recorded).map(({ key }) => key));
  const [newest, ...earlier] = importCommits(recorded, address).flatMap((commit): LastCommit[] => {
    const [first, ...retries] = commit.filter(({ key }) => !undone.has(key));
    if (first === undefined) return [];
    const { key, job, facts } = first;
    const isWhole = job.only === undefined && facts?.retries === undefined;
    return [{ sent: [first, ...retries], is: isWhole && !isDue(key) ? 'settled' : 'partial' }];
  });
  if (newest === undefined) return undefined;
  const deletions = importCommits(recorded, addressOfMissing(address)).map(([one]) => one);
  return { commits: [newest, ...earlier], deletions };
}

/** Rows that were sent, and which of them took effect. */
export interface EffectiveRows {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  /** Data rows that the service refused. */
  readonly failed: ReadonlySet<number>;
  /** When they were committed, ISO 8601 in UTC. */
  readonly at: string;
  /** Keys, as `joinKey` gives them, of the rows that count; all by default. */
  readonly only?: ReadonlySet<string>;
}

/**
 * The rows that took effect, by key, as the records that they ask for, with values in the order of the targets of
 * `prepared`, without rows that were deleted later. The later of two rows with one key counts. Sealed.
 */
export async function rowsAsRecords(
  sent: Iterable<EffectiveRows>,
  prepared: Pick<PreparedImport, 'columns'>,
  definition: ImportDefinitionSpec,
  folder: string,
  deletedAt: ReadonlyMap<string, string> = new Map(),
): Promise<KeyedRows> {
  const records = await KeyedRows.open(folder, 'last');
  const targets = listTargets(prepared.columns, definition.resource);
  for (const { prepared: last, at, ...which } of sent) {
    const fields = createRowFields(last.columns, definition);
    const places = targets.map(({ field }) => fields.column(field)?.index);
    for await (const { n, key, cells } of keyedRows(last, definition)) {
      if (!isEffective(n, joinKey(key), which) || (deletedAt.get(joinKey(key)) ?? '') > at) continue;
      const values = targets.map(({ field }, index): KeptValue => {
        const place = places[index];
        return place === undefined ? null : [formOfField(field), cells[place] ?? ''];
      });
      records.add(key, values);
    }
  }
  records.seal();
  return records;
}

const isEffective = (n: number, key: string, { failed, only }: Pick<EffectiveRows, 'failed' | 'only'>): boolean =>
  !failed.has(n) && only?.has(key) !== false;

/** Whether rows took effect whose keys `prepared` does not have. */
export async function hasOthers(
  sent: Iterable<EffectiveRows>,
  prepared: EffectiveRows['prepared'],
  definition: ImportDefinitionSpec,
): Promise<boolean> {
  const known = new KeyIndex();
  for await (const { n, key } of keyedRows(prepared, definition)) known.firstRow(joinKey(key), n);
  for (const { prepared: rows, ...which } of sent)
    for await (const { n, key } of keyedRows(rows, definition))
      if (isEffective(n, joinKey(key), which) && !known.has(joinKey(key))) return true;
  return false;
}

/** The keys of refused rows that neither `prepared` nor an accepted row has. */
export async function refusedKeys(
  sent: readonly EffectiveRows[],
  prepared: EffectiveRows['prepared'],
  definition: ImportDefinitionSpec,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { prepared: last, failed, only } of sent.filter(({ failed }) => failed.size > 0))
    for await (const { n, key } of keyedRows(last, definition))
      if (failed.has(n) && only?.has(joinKey(key)) !== false) keys.add(joinKey(key));
  const others = keys.size === 0 ? [] : [...sent, { prepared, failed: new Set<number>() }];
  for (const { prepared: rows, failed } of others)
    for await (const { n, key } of keyedRows(rows, definition)) if (!failed.has(n)) keys.delete(joinKey(key));
  return keys;
}

async function* keyedRows(prepared: EffectiveRows['prepared'], definition: ImportDefinitionSpec) {
  const { keys } = resourceNamed(definition.resource);
  const fields = createRowFields(prepared.columns, definition);
  for await (const row of readAllRows(prepared)) yield { ...row, key: keys.map((key) => fields.text(row.cells, key)) };
}
