import { diffLines } from 'diff';
import type { Json } from '#core/model/json.js';
import type { FieldChange } from '#core/model/plan.js';
import { valueText, withLineEnd } from '../human/field-text.js';

/** Further lines are counted, longer ones cut. */
const MOST_LINES = 60;
const LONGEST_LINE = 300;

/** A value of a field before and after; absent if there is none. */
export type Changed = Pick<FieldChange, 'path' | 'before' | 'after' | 'cause'>;

/** Fields as lines of a diff, which GitHub and GitLab colour. */
export function fieldDiff(fields: readonly Changed[]): string[] {
  const lines = fields.flatMap(linesOf).map(cutLine);
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `... and ${more} more lines`] : lines;
}

/** Puts each row on one line of the diff. */
export const rowDiff = (lines: readonly string[]): string[] =>
  lines.map((line) => cutLine(line.replaceAll(/\s*\n\s*/g, ' ')));

const cutLine = (line: string): string => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)} ...`);

function linesOf({ path: given, before, after, cause }: Changed): string[] {
  const path = given.replaceAll('\n', ' ');
  const outside = cause === 'drift' || cause === 'both' ? '  # changed outside' : '';
  if (before === undefined && after === undefined) return [`- ${path}${outside}`];
  if (before === undefined) return valueLines('+', path, after as Json, outside);
  if (after === undefined) return valueLines('-', path, before, outside);
  const [old, wanted] = [valueText(before), valueText(after)];
  if (old.includes('\n') || wanted.includes('\n')) return [`@@ ${path} @@${outside}`, ...textDiff(old, wanted)];
  return [...valueLines('-', path, before, outside), ...valueLines('+', path, after, '')];
}

/** Omits the value if the path contains it: `members[ann@example.com]`. */
function valueLines(mark: '+' | '-', path: string, value: Json, end: string): string[] {
  if (typeof value === 'string' && path.endsWith(`[${value}]`)) return [`${mark} ${path}${end}`];
  const text = valueText(value);
  if (!text.includes('\n')) return [`${mark} ${path}: ${text}${end}`];
  return [`${mark} ${path}:${end}`, ...text.split('\n').map((line) => `${mark}   ${line}`)];
}

const textDiff = (before: string, after: string): string[] =>
  diffLines(withLineEnd(before), withLineEnd(after)).flatMap(({ value, added, removed }) =>
    value
      .trimEnd()
      .split('\n')
      .map((line) => `${added ? '+' : removed ? '-' : ' '}   ${line}`),
  );
