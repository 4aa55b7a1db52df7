import { type KeptValue, KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { targetsOf } from '../../bulk/compare/targets.js';
import { formOfField } from '../../bulk/compare/value-form.js';
import { rowFieldsOf } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { readSpooledRows } from '../../bulk/rows/spooled-rows.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import type { LedgerState } from '../../ledger/fold.js';
import type { Address } from '../../model/address.js';
import { resourceNamed } from '../../model/import-resources.js';
import type { JobState } from '../../model/job-state.js';

/** The content of an import that was committed last. */
export type LastImport = Extract<JobState, { state: 'committed' }>;

/** What the ledger knows to have been committed last under an address. */
export function lastImport(
  { jobs, imports }: Pick<LedgerState, 'jobs' | 'imports'>,
  address: Address,
): LastImport | undefined {
  let last: LastImport | undefined;
  for (const [key, job] of jobs) {
    if (imports.get(key) !== address || job.state !== 'committed') continue;
    if (last === undefined || job.at >= last.at) last = job;
  }
  return last;
}

/**
 * Rows by their key, as the records that they ask for, in the order of the targets of `prepared`. The later of two rows of one
 * key counts. Sealed.
 */
export async function rowsAsRecords(
  last: PreparedImport,
  prepared: Pick<PreparedImport, 'columns'>,
  definition: ImportDefinitionSpec,
  folder: string,
): Promise<KeyedRows> {
  const records = await KeyedRows.open(folder, 'last');
  const { keys } = resourceNamed(definition.resource);
  const fields = rowFieldsOf(last.columns, definition);
  const targets = targetsOf(prepared.columns, definition.resource);
  const places = targets.map(({ field }) => fields.column(field)?.index);
  for await (const { cells } of readSpooledRows(last.path, { first: 1, last: last.rows })) {
    const values = targets.map(({ field }, index): KeptValue => {
      const place = places[index];
      return place === undefined ? null : [formOfField(field), cells[place] ?? ''];
    });
    records.add(
      keys.map((key) => fields.text(cells, key)),
      values,
    );
  }
  records.seal();
  return records;
}
