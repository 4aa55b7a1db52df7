import type { NumberFormat } from '#core/jobs/source-cells.js';

const GROUPS: Readonly<Record<NonNullable<NumberFormat['decimal']>, RegExp>> = {
  point: /^\d{1,3}(?:([,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*)?(?:\.\d+)?$/,
  comma: /^\d{1,3}(?:([.'’ \u00a0\u202f])\d{3}(?:\1\d{3})*)?(?:,\d+)?$/,
};
const PLAIN: typeof GROUPS = { point: /^(?:\d+\.?\d*|\.\d+)$/, comma: /^(?:\d+,?\d*|,\d+)$/ };

/**
 * Converts a number from the format of its column to digits with a point before its decimals; undefined if the cell is
 * not such a number. Digits are moved, never calculated with, so that none is lost.
 */
export function plainNumber(
  cell: string,
  { decimal = 'point', unit = [], percent = 'fraction' }: NumberFormat,
): string | undefined {
  const [, sign = '', rest = ''] = /^([+\-−]?)(.*)$/s.exec(withoutUnit(cell.trim(), [unit].flat())) ?? [];
  const isPercent = rest.endsWith('%');
  const bare = withoutUnit(isPercent ? rest.slice(0, -1).trimEnd() : rest, [unit].flat());
  if (!PLAIN[decimal].test(bare) && !GROUPS[decimal].test(bare)) return undefined;
  const mark = decimal === 'comma' ? ',' : '.';
  const [whole = '', fraction = ''] = bare.split(mark).map((part) => part.replace(/\D/g, ''));
  const digits = isPercent && percent === 'fraction' ? shifted(whole, fraction) : ([whole, fraction] as const);
  const number = (digits[0] || '0') + (digits[1] === '' ? '' : `.${digits[1]}`);
  return `${sign === '' || sign === '+' ? '' : '-'}${number}`;
}

/** Removes the longest unit that fits, before the number or after it. */
function withoutUnit(cell: string, units: readonly string[]): string {
  const fits = (unit: string): boolean => cell.startsWith(unit) || cell.endsWith(unit);
  const unit = units.filter(fits).sort((a, b) => b.length - a.length)[0];
  if (unit === undefined) return cell;
  return (cell.startsWith(unit) ? cell.slice(unit.length) : cell.slice(0, -unit.length)).trim();
}

/** Divides by a hundred: moves the point two places to the left, without zeros at the ends. */
function shifted(whole: string, fraction: string): readonly [string, string] {
  const digits = whole.padStart(3, '0');
  const left = digits.slice(0, -2).replace(/^0+(?=\d)/, '');
  return [left, (digits.slice(-2) + fraction).replace(/0+$/, '')];
}
