import { excerpt } from '#base/printable.js';
import type { CellFinding } from '#core/model/findings.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { NUMBER } from './number-pattern.js';
import type { PreflightRules, ReportFinding, RowCheck } from './row-check.js';
import { type RowFields, removeMarker } from './row-fields.js';

/** Finds BOM lines whose quantity is not a positive number (wire-facts 8.2, 3227), or is empty (3036). */
export function quantityCheck(fields: RowFields, { definition }: PreflightRules, say: ReportFinding): RowCheck {
  const column = fields.column('quantity');
  const { resource, mode } = definition;
  if (column === undefined || resourceNamed(resource).isTree === undefined || mode === 'DELETE') return () => {};
  const problem = (value: string): CellFinding | undefined => {
    if (value === removeMarker(definition)) return undefined;
    if (value === '') return mode === 'EDIT' ? undefined : emptyIn(column.header);
    if (NUMBER.test(value) && Number(value) > 0) return undefined;
    const hint = 'Write a number above 0, with a point before decimals.';
    return { severity: 'error', code: 'quantity-invalid', message: `"${excerpt(value)}" is not a quantity.`, hint };
  };
  return ({ row, cells }) => {
    const value = fields.text(cells, 'quantity');
    const found = problem(value);
    if (found !== undefined) say({ ...found, row, column: column.header, value });
  };
}

const emptyIn = (header: string): CellFinding => ({
  severity: 'warning',
  code: 'quantity-empty',
  message: `The cell in column "${header}" is empty: the service decides about the quantity of a new line.`,
  hint: 'Fill the cell.',
});
