import type { RecordTable } from '../store/record-draft.js';
import type { Family } from './family.js';
import type { StoredRecord } from './field.js';
import { recordColumns, recordValues } from './records.js';

/** Returns the table of a family in the form that the drafts of imports need. */
export function recordTable<R extends StoredRecord>(family: Family<R>): RecordTable<R> {
  return {
    name: family.table,
    columns: recordColumns(family),
    indexes: Object.values(family.indexes ?? {}),
    values: (record) => recordValues(family, record),
    read: family.read,
  };
}
