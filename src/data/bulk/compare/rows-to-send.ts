import type { ImportSpec } from '#core/jobs/import.js';
import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { createRowFields } from '../preflight/row-fields.js';
import type { PreparedImport } from '../prepare.js';
import { KeyIndex } from '../rows/key-index.js';
import { RowRanges } from '../rows/row-ranges.js';
import { readAllRows } from '../rows/spooled-rows.js';
import type { RowDifference } from './compare-rows.js';

/** Collects the rows to send, while rows are compared. */
export interface DifferingRows {
  onVerdict(n: number, is: RowDifference, key: readonly string[]): void;
  onChange(change: RowChange): void;
  /** Call it after all rows were compared. */
  rows(): Promise<RowRanges>;
}

/**
 * Selects the rows that differ from their records, or those without one; under REPLACE all rows of each parent with a
 * difference, since they are all that it is to have (wire-facts 4, "mode").
 */
export function differingRows(
  { path, rows, columns }: Pick<PreparedImport, 'path' | 'rows' | 'columns'>,
  definition: ImportDefinitionSpec,
  send: ImportSpec['send'],
): DifferingRows {
  const whole = hasMode(definition, 'REPLACE');
  const chosen = new RowRanges();
  const parents = new KeyIndex();
  return {
    onVerdict(n, is, key) {
      if (is === 'same' || (send === 'new' && is !== 'new')) return;
      if (whole) parents.firstRow(key[0] ?? '', n);
      else chosen.add(n);
    },
    onChange({ change, key }) {
      if (change === 'removed' && whole) parents.firstRow(key[0] ?? '', 1);
    },
    async rows() {
      if (!whole) return chosen;
      const fields = createRowFields(columns, definition);
      const [parent = ''] = resourceNamed(definition.resource).keys;
      for await (const { n, cells } of readAllRows({ path, rows })) {
        if (parents.has(fields.text(cells, parent))) chosen.add(n);
      }
      return chosen;
    },
  };
}
