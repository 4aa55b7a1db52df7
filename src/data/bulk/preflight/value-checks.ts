import { nearestHint } from '#base/nearest.js';
import { excerpt } from '#base/printable.js';
import { isFaultOf } from '#core/manifest/row-table.js';
import { FAULT_HINTS } from '../source/cell-faults.js';
import type { Column } from './columns.js';
import type { AllowedValues, PreflightRules, ReportFinding, RowCheck } from './row-check.js';
import { type RowFields, removeMarker } from './row-fields.js';

/** Finding the nearest of many values takes long; after this many wrong ones nobody reads the suggestions. */
const MOST_HINTS = 1000;

/**
 * Finds cells that a workbook marks as errors, or whose formula was never computed, and rows that end before a mapped
 * column, of which only the first is reported.
 */
export function faultCheck(columns: readonly Column[], say: ReportFinding): RowCheck {
  return ({ row, cells, faults }) => {
    for (const fault of faults) {
      const { code, says } = fault;
      const at = columns.findIndex(({ from }) => from.type === 'cell' && isFaultOf(fault, from.index));
      const header = columns[at]?.header;
      if (header === undefined) continue;
      const message = `The cell in column "${header}" ${says}.`;
      say({ severity: 'error', code, message, hint: FAULT_HINTS[code], row, column: header, value: cells[at] ?? '' });
    }
  };
}

/** CREATE fails without the field; OVERWRITE fails if the record is new (interface 7: "the name is required"). */
export function requiredCheck(
  field: string,
  fields: RowFields,
  { definition }: PreflightRules,
  say: ReportFinding,
): RowCheck {
  const { mode } = definition;
  if (mode === 'DELETE') return () => {};
  const creates = mode === 'CREATE' ? 'every record' : 'a new record';
  const severity = mode === 'CREATE' ? 'error' : 'warning';
  const column = fields.column(field);
  if (column === undefined) {
    if (mode === 'EDIT') return () => {};
    const message = `No column is mapped to "${field}", which ${creates} must have.`;
    say({ severity, code: 'required-unmapped', message, hint: `Map a column of the file to "${field}".` });
    return () => {};
  }
  return ({ row, cells }) => {
    const value = fields.text(cells, field);
    const place = { row, column: column.header, value };
    if (value === '' && mode !== 'EDIT') {
      const message = `The cell in column "${column.header}" is empty, but ${creates} must have a "${field}".`;
      say({ severity, code: 'required-empty', message, hint: 'Fill the cell.', ...place });
    } else if (value === removeMarker(definition) && mode !== 'CREATE') {
      const message = `The cell in column "${column.header}" removes "${field}", which every record must have.`;
      say({ severity: 'error', code: 'required-removed', message, hint: 'Give a value instead.', ...place });
    }
  };
}

/** Finds values that are not among the known ones, and suggests the nearest for the first of them. */
export function allowedCheck(
  field: string,
  { values, noun, delimiter }: AllowedValues,
  fields: RowFields,
  { definition }: PreflightRules,
  say: ReportFinding,
): RowCheck {
  const column = fields.column(field);
  if (column === undefined || values === undefined || definition.mode === 'DELETE') return () => {};
  const known = new Set(values.map((value) => value.toLowerCase()));
  const hints = new Map<string, string>();
  const hintFor = (value: string): string => {
    const hint =
      hints.get(value) ??
      (hints.size < MOST_HINTS ? nearestHint(value, values) : undefined) ??
      'Correct the cell, or add the value to the workspace first.';
    if (hints.size < MOST_HINTS) hints.set(value, hint);
    return hint;
  };
  return ({ row, cells }) => {
    const text = fields.text(cells, field);
    if (text === '' || text === removeMarker(definition)) return;
    for (const value of delimiter === undefined ? [text] : text.split(delimiter).map((part) => part.trim())) {
      if (value === '' || known.has(value.toLowerCase())) continue;
      const place = { row, column: column.header, value };
      say({
        severity: 'error',
        code: 'value-unknown',
        message: `"${excerpt(value)}" is not a ${noun}.`,
        hint: hintFor(value),
        ...place,
      });
    }
  };
}
