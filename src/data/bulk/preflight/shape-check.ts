import { excerpt } from '#base/printable.js';
import type { CellFinding } from '#core/model/findings.js';
import { NUMBER } from './number-pattern.js';
import type { AllowedValues, PreflightRules, ReportFinding, RowCheck } from './row-check.js';
import { type RowFields, removeMarker } from './row-fields.js';

/**
 * Finds values that their field never accepts in any workspace: too long, in several lines, or not a number, date or
 * truth value (wire-facts 2.1: 2001 to 2029, 3054 to 3058, 3101).
 */
export function shapeCheck(
  field: string,
  allowed: AllowedValues,
  fields: RowFields,
  { definition }: PreflightRules,
  say: ReportFinding,
): RowCheck {
  const column = fields.column(field);
  const problems = problemsOf(allowed);
  if (column === undefined || definition.mode === 'DELETE' || problems.length === 0) return () => {};
  return ({ row, cells }) => {
    const value = fields.text(cells, field);
    if (value === '' || value === removeMarker(definition)) return;
    for (const problem of problems) {
      const found = problem(value);
      if (found !== undefined) say({ ...found, row, column: column.header, value });
    }
  };
}

type Problem = (value: string) => CellFinding | undefined;

function problemsOf({ noun, maxLength, lines, type, ...limits }: AllowedValues): Problem[] {
  return [
    ...(maxLength === undefined ? [] : [tooLong(noun, maxLength)]),
    ...(lines === 'one' ? [severalLines(noun)] : []),
    ...(type === 'number' ? [noNumber(noun, limits)] : []),
    ...(type === 'date' ? [noDate] : []),
    ...(type === 'truth' ? [noTruth] : []),
  ];
}

const wrong = (code: string, message: string, hint: string): CellFinding => ({
  severity: 'error',
  code,
  message,
  hint,
});

const tooLong =
  (noun: string, limit: number): Problem =>
  ({ length }) =>
    length <= limit
      ? undefined
      : wrong('value-too-long', `This ${noun} has ${length} characters; the limit is ${limit}.`, 'Shorten the value.');

const severalLines =
  (noun: string): Problem =>
  (value) =>
    /[\r\n]/.test(value)
      ? wrong('value-multiline', `This ${noun} has several lines; it must have one.`, 'Remove the line breaks.')
      : undefined;

type Range = Pick<AllowedValues, 'negative' | 'decimals' | 'maxValue'>;

const noNumber =
  (noun: string, range: Range): Problem =>
  (value) => {
    const shown = `"${excerpt(value)}"`;
    if (!NUMBER.test(value))
      return wrong('value-not-number', `${shown} is not a number.`, 'Write digits, with a point before decimals.');
    const problem = rangeProblem(value, range);
    return problem === undefined
      ? undefined
      : wrong('value-out-of-range', `${shown} is not a ${noun}: ${problem}.`, 'Correct the number.');
  };

function rangeProblem(value: string, { negative, decimals, maxValue }: Range): string | undefined {
  if (negative === false && Number(value) < 0) return 'it must not be negative';
  if (maxValue !== undefined && Number(value) > maxValue) return `the largest is ${maxValue}`;
  if (decimals === undefined || decimalsIn(value) <= decimals) return undefined;
  return decimals === 0
    ? 'it must be a whole number'
    : `it may have ${decimals === 1 ? '1 decimal' : `${decimals} decimals`}`;
}

/** Counts decimals without zeros at the end; an exponent moves the point. */
function decimalsIn(value: string): number {
  const [digits = '', exponent = '0'] = value.toLowerCase().split('e');
  const written = (digits.split('.')[1] ?? '').replace(/0+$/, '').length;
  return Math.max(0, written - Number(exponent));
}

const DATE = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?\s*(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** An existing day: `yyyy-MM-dd`, `yyyyMMdd` (wire-facts 2.1, 3054), or ISO 8601 date-time (wire-facts 4, timeZone). */
const noDate: Problem = (value) => {
  const [, year = 0, month = 0, day = 0] = (DATE.exec(value) ?? []).slice(0, 4).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (month > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day) return undefined;
  return wrong(
    'value-not-date',
    `"${excerpt(value)}" is not a date.`,
    'Write it as year, month and day, such as 2026-11-23.',
  );
};

const noTruth: Problem = (value) =>
  /^(true|false|yes|no)$/i.test(value)
    ? undefined
    : wrong('value-not-boolean', `"${excerpt(value)}" is neither true nor false.`, 'Write true or false.');
