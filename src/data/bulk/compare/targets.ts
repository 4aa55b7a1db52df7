import { type LackedKeys, resourceNamed } from '#core/model/import-resources.js';
import { type Column, FREE_TEXT } from '../preflight/columns.js';
import { guidFor } from '../preflight/row-fields.js';

/** One field that a column of the rows fills. */
export interface Target {
  /** Position among the cells of a row. */
  readonly column: number;
  readonly header: string;
  /** In lower case. */
  readonly field: string;
  /** Filled only by rows without the key that their resource may lack; others do not change it. */
  readonly is?: 'of new records';
}

/** Lists the fields to compare: all but those that find the record. A key can change only if a GUID finds it. */
export function listTargets(columns: readonly Column[], resource: string): readonly Target[] {
  const filled = new Set(columns.flatMap(({ fields }) => fields));
  const { keys, lacking } = resourceNamed(resource);
  const finding = new Set(
    keys.map((key) => {
      const [field, guid] = [key.toLowerCase(), guidFor(key).toLowerCase()];
      return filled.has(guid) ? guid : field;
    }),
  );
  return columns.flatMap(({ header, fields }, column) =>
    fields
      .filter((field) => field !== FREE_TEXT && !finding.has(field))
      .map(
        (field): Target => ({ column, header, field, ...(isOfNew(field, lacking) ? { is: 'of new records' } : {}) }),
      ),
  );
}

const isOfNew = (field: string, lacking: LackedKeys | undefined): boolean =>
  lacking !== undefined && field.startsWith(lacking.fields);
