import { excerpt } from '#base/printable.js';
import type { CellFinding } from '#core/model/findings.js';
import { joinKey } from '../rows/key-index.js';
import { arePlainDesignators, designatorCount, plainDesignators, splitDesignators } from '../source/designators.js';
import { NUMBER } from './number-pattern.js';
import type { PreflightRules, ReportFinding, RowCheck } from './row-check.js';
import { type RowFields, removeMarker } from './row-fields.js';

/**
 * Finds BOM lines whose reference designators do not match their quantity (wire-facts 2.1, 3230), or repeat one of
 * their parent (3229, 3605). With `checkRefDes: DO_NOT_CHECK` the service does not check them.
 */
export function designatorCheck(fields: RowFields, given: PreflightRules, say: ReportFinding): RowCheck {
  // If rows are added up, the others may have the missing designators.
  const checks = [...(given.repeated !== undefined ? [] : [countCheck(fields)]), repetitionCheck(fields, given)];
  return checkDesignators(checks, fields, given, say);
}

/** Runs the count check only, for lines that were added up. */
export const designatorCountCheck = (fields: RowFields, given: PreflightRules, say: ReportFinding): RowCheck =>
  checkDesignators([countCheck(fields)], fields, given, say);

function checkDesignators(
  checks: readonly DesignatorCheck[],
  fields: RowFields,
  given: PreflightRules,
  say: ReportFinding,
): RowCheck {
  const column = fields.column('refDes');
  const { mode, options } = given.definition;
  if (column === undefined || mode === 'DELETE' || options?.checkRefDes === 'DO_NOT_CHECK') return () => {};
  return ({ row, cells }) => {
    const value = fields.text(cells, 'refDes');
    if (value === '' || value === removeMarker(given.definition)) return;
    if (!arePlainDesignators(value)) {
      say({ ...unreadable(value, column.header), row, column: column.header, value });
      return;
    }
    const designators = splitDesignators(value);
    for (const check of checks) {
      for (const finding of check(designators, row, cells)) say({ ...finding, row, column: column.header, value });
    }
  };
}

const unreadable = (value: string, header: string): CellFinding => ({
  severity: 'error',
  code: 'designators-unreadable',
  message: `The service does not read "${excerpt(value)}" as "${excerpt(plainDesignators(value))}".`,
  hint: `Write it in the second form, or map the field to a column that the import adds: \`columns: { Designators: { designators: ${JSON.stringify(header)} } }\`.`,
});

type DesignatorCheck = (designators: readonly string[], row: number, cells: readonly string[]) => CellFinding[];

/** One that looks like a range and is none, such as J2-1. */
function noRange(designators: readonly string[]): CellFinding {
  const wrong = designators.find((one) => designatorCount([one]) === undefined) ?? '';
  const message = `"${excerpt(wrong)}" is not a range of reference designators.`;
  const hint = 'Write it without the dash, or set `checkRefDes: DO_NOT_CHECK` in the definition.';
  return { severity: 'error', code: 'designators-uneven', message, hint };
}

const countCheck =
  (fields: RowFields): DesignatorCheck =>
  (designators, _, cells) => {
    const count = designatorCount(designators);
    if (count === undefined) return [noRange(designators)];
    const stated = fields.text(cells, 'quantity');
    if (!NUMBER.test(stated) || Number(stated) === count) return [];
    const there = count === 1 ? 'is 1 reference designator' : `are ${count} reference designators`;
    const message = `The quantity is ${stated}, but there ${there}.`;
    const hint = 'Correct one of them, or set `checkRefDes: DO_NOT_CHECK` in the definition.';
    return [{ severity: 'error', code: 'designators-uneven', message, hint }];
  };

function repetitionCheck(fields: RowFields, { rules, keys, rowName, repeated }: PreflightRules): DesignatorCheck {
  const index = keys.newIndex();
  const rows = repeated === 'once' ? keys.newIndex() : undefined;
  const [parent = ''] = rules.keys;
  return (designators, row, cells) => {
    const key = fields.identity(cells, parent);
    if (rows?.firstRow(joinKey(fields.texts(cells)), row) !== undefined) return [];
    return designators.flatMap((designator): CellFinding[] => {
      const first = index.firstRow(joinKey([key, designator]), row);
      if (first === undefined) return [];
      const where = first === row ? 'occurs twice in this cell' : `is already in row ${rowName(first)}`;
      const message = `The reference designator "${excerpt(designator)}" ${where}.`;
      return [
        {
          severity: 'error',
          code: 'designator-repeated',
          message,
          hint: 'Use each designator on one line of a BOM only.',
        },
      ];
    });
  };
}
