import { type KeptValue, KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { targetsOf } from '../../bulk/compare/targets.js';
import { formOfField } from '../../bulk/compare/value-form.js';
import { rowFieldsOf } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { readAllRows } from '../../bulk/rows/spooled-rows.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import type { LedgerState } from '../../ledger/fold.js';
import type { Address } from '../../model/address.js';
import { resourceNamed } from '../../model/import-resources.js';
import type { JobRun } from '../../model/job-state.js';
import { dueOf } from './missing-due.js';

/** What was committed last of an import. */
export interface LastImport {
  /**
   * In the order in which they were committed, back to a file of which all rows were sent and nothing that it did not have is still
   * to be deleted.
   */
  readonly runs: readonly JobRun[];
  /** `rows`: only runs that sent some rows of their file are known beside, so that a row may be in several. */
  readonly is: 'a file' | 'rows';
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** What the ledger knows to have been committed last under an address. */
export function lastImport(
  state: Pick<LedgerState, 'jobs' | 'imports' | 'importFacts'>,
  address: Address,
): LastImport | undefined {
  const isDue = dueOf(state, address);
  const committed = [...state.jobs].flatMap(([key, job]) =>
    state.imports.get(key) === address && job.state === 'committed' ? [{ ...job, due: isDue(key) }] : [],
  );
  const newestFirst = committed.sort((one, other) => other.at.localeCompare(one.at));
  const [newest] = newestFirst;
  if (newest === undefined) return undefined;
  const whole = newestFirst.findIndex(({ only, due }) => only === undefined && !due);
  const taken = newestFirst.slice(0, whole === -1 ? undefined : whole + 1).reverse();
  return { runs: taken.flatMap(({ runs }) => runs), is: taken.length === 1 ? 'a file' : 'rows', at: newest.at };
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
  for await (const { cells } of readAllRows(last)) {
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
