import { excerpt } from '#base/printable.js';
import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { type Division, divideRows } from '../rows/divide-rows.js';
import { placeOfRow } from '../source/row-place.js';
import type { SourceTable } from '../source/source-table.js';
import type { Column } from './columns.js';
import { createRowFields } from './row-fields.js';

/** Decides before which rows the spool is cut, and reports the groups that a cut would separate. */
export function partCheck(
  table: SourceTable,
  columns: readonly Column[],
  definition: ImportDefinitionSpec,
  division: Division,
  add: (finding: Finding) => void,
): (row: number, cells: readonly string[]) => 'cut' | 'stay' {
  const { next } = divideRows(division);
  const fields = createRowFields(columns, definition);
  const [key = ''] = resourceNamed(definition.resource).keys;
  const isWhole = hasMode(definition, 'REPLACE');
  const groupOf = (cells: readonly string[]): string | undefined => (isWhole ? fields.identity(cells, key) : undefined);
  const header = fields.column(key)?.header ?? key;
  return (row, cells) => {
    const value = groupOf(cells);
    const { cut, torn } = next(value);
    if (value !== undefined && torn !== undefined && division.by === 'size') {
      const message = `"${excerpt(value)}" also has rows in an earlier run, from data row ${torn} on; mode REPLACE would remove their lines.`;
      const hint = `Sort the file by "${header}", or increase \`rowsPerRun\`.`;
      add({
        severity: 'error',
        code: 'parent-scattered',
        message,
        hint,
        ...placeOfRow(table, row),
        column: header,
        value,
      });
    }
    return cut ? 'cut' : 'stay';
  };
}
