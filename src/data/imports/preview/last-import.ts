import type { ImportDefinitionSpec } from '../../../core/kinds/import-definition.js';
import type { Address } from '../../../core/model/address.js';
import { resourceNamed } from '../../../core/model/import-resources.js';
import { type ImportCommit, importCommits } from '../../../core/model/partial-imports.js';
import { type LedgerState, recordedImports } from '../../../ledger/fold.js';
import { type KeptValue, KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { targetsOf } from '../../bulk/compare/targets.js';
import { formOfField } from '../../bulk/compare/value-form.js';
import { rowFieldsOf } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { keyOf } from '../../bulk/rows/key-index.js';
import { readAllRows } from '../../bulk/rows/spooled-rows.js';
import { dueOf } from './missing-due.js';

/** What a commit of an import and its retries sent. */
export interface LastCommit {
  readonly sent: ImportCommit;
  /** Whether all rows of its file were sent, and nothing that the file did not have is still to be deleted. */
  readonly is: 'settled' | 'partial';
}

/** What was committed of an import, the newest first; one commit at least. */
export type LastImport = readonly [LastCommit, ...LastCommit[]];

/** What the ledger knows to have been committed under an address. */
export function lastImport(state: LedgerState, address: Address): LastImport | undefined {
  const isDue = dueOf(state, address);
  const [newest, ...earlier] = importCommits(recordedImports(state), address).map((sent): LastCommit => {
    const [{ key, job }] = sent;
    return { sent, is: job.only === undefined && !isDue(key) ? 'settled' : 'partial' };
  });
  return newest === undefined ? undefined : [newest, ...earlier];
}

/** Rows that were sent, and which of them are the import's. */
export interface EffectiveRows {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  /** Data rows that the service refused. */
  readonly failed: ReadonlySet<number>;
  /** Keys, as `keyOf` gives them, of the rows that count; all by default. */
  readonly only?: ReadonlySet<string>;
}

/**
 * The rows that took effect by their key, as the records that they ask for, in the order of the targets of `prepared`. The later
 * of two rows of one key counts. Sealed.
 */
export async function rowsAsRecords(
  sent: Iterable<EffectiveRows>,
  prepared: Pick<PreparedImport, 'columns'>,
  definition: ImportDefinitionSpec,
  folder: string,
): Promise<KeyedRows> {
  const records = await KeyedRows.open(folder, 'last');
  const targets = targetsOf(prepared.columns, definition.resource);
  for (const { prepared: last, failed, only } of sent) {
    const fields = rowFieldsOf(last.columns, definition);
    const places = targets.map(({ field }) => fields.column(field)?.index);
    for await (const { n, key, cells } of keyedRows(last, definition)) {
      if (failed.has(n) || only?.has(keyOf(key)) === false) continue;
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

/** The keys of refused rows that no row of `prepared` has, and that are among `only` where that is given. */
export async function refusedKeys(
  sent: Iterable<EffectiveRows>,
  prepared: EffectiveRows['prepared'],
  definition: ImportDefinitionSpec,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { prepared: last, failed, only } of sent) {
    if (failed.size === 0 && keys.size === 0) continue;
    for await (const { n, key } of keyedRows(last, definition)) {
      const text = keyOf(key);
      // A retry brings what was refused before it.
      if (!failed.has(n)) keys.delete(text);
      else if (only?.has(text) !== false) keys.add(text);
    }
  }
  if (keys.size > 0) for await (const { key } of keyedRows(prepared, definition)) keys.delete(keyOf(key));
  return keys;
}

async function* keyedRows(prepared: EffectiveRows['prepared'], definition: ImportDefinitionSpec) {
  const { keys } = resourceNamed(definition.resource);
  const fields = rowFieldsOf(prepared.columns, definition);
  for await (const row of readAllRows(prepared)) yield { ...row, key: keys.map((key) => fields.text(row.cells, key)) };
}
