import type { Finding } from '#core/model/findings.js';
import { keysNeeded } from '#core/model/import-resources.js';
import { placeOfRow } from '../source/row-place.js';
import type { SourceTable } from '../source/source-table.js';
import type { Column } from './columns.js';
import { designatorCheck } from './designator-check.js';
import { garbledCheck } from './garbled-check.js';
import { duplicateCheck, keyCheck, ownParentCheck } from './key-checks.js';
import { quantityCheck } from './quantity-check.js';
import { roundedKeyCheck } from './rounded-key-check.js';
import type { PreflightRules, ReportFinding, RowCheck } from './row-check.js';
import { createRowFields } from './row-fields.js';
import { shapeCheck } from './shape-check.js';
import { allowedCheck, faultCheck, requiredCheck } from './value-checks.js';

/**
 * Combines the checks of each row: faulty cells, empty key and required cells, rounded and repeated keys, parents,
 * quantities and designators of BOM lines, values that are not allowed. Reports faults of whole columns at once.
 */
export function preflight(
  table: SourceTable,
  columns: readonly Column[],
  given: PreflightRules,
  add: (finding: Finding) => void,
): RowCheck {
  const say = findingReporter(table, columns, add);
  const fields = createRowFields(columns, given.definition);
  const checks = [
    faultCheck(columns, say),
    garbledCheck(columns, say),
    ...keysNeeded(given.rules, given.definition.mode).map((key) => keyCheck(key, fields, given, say)),
    ...given.rules.requiredToCreate.map((field) => requiredCheck(field, fields, given, say)),
    roundedKeyCheck(fields, given, say),
    ...(given.repeated !== undefined ? [] : [duplicateCheck(fields, given, say)]),
    ownParentCheck(fields, given, say),
    quantityCheck(fields, given, say),
    designatorCheck(fields, given, say),
    ...[...given.allowed].flatMap(([field, allowed]) => [
      allowedCheck(field, allowed, fields, given, say),
      shapeCheck(field, allowed, fields, given, say),
    ]),
  ];
  return (row) => {
    for (const check of checks) check(row);
  };
}

/** Adds the location to findings: file, sheet and cell. */
export function findingReporter(
  table: SourceTable,
  columns: readonly Column[],
  add: (finding: Finding) => void,
): ReportFinding {
  const letters = lettersByHeader(table, columns);
  return (finding) => {
    const letter = finding.column === undefined ? undefined : letters.get(finding.column);
    const place = placeOfRow(table, finding.row);
    const cell = letter === undefined || place.row === undefined ? {} : { cell: `${letter}${place.row}` };
    add({ ...finding, ...cell, ...place });
  };
}

/** Constants have no cell, and a text file has no letters. */
const lettersByHeader = ({ letters = [] }: SourceTable, columns: readonly Column[]): ReadonlyMap<string, string> =>
  new Map(
    columns.flatMap(({ header, from }) => {
      const letter = from.type === 'cell' ? letters[from.index] : undefined;
      return letter === undefined ? [] : [[header, letter] as const];
    }),
  );
