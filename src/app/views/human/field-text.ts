import { diffLines } from 'diff';
import { stringify } from 'yaml';
import { quoted } from '#base/printable.js';
import type { Json } from '#core/model/json.js';
import type { FieldChange } from '#core/model/plan.js';
import type { Palette } from './palette.js';

/** Formats the change of one field. Short values share a line; longer ones become a diff of lines. */
export function fieldText(field: FieldChange, show: 'both' | 'after only', palette: Palette): string {
  const { cause } = field;
  const text = changeText(field, show, palette);
  return cause === undefined || cause === 'asked' ? text : `${text}${palette.yellow(OUTSIDE[cause])}`;
}

const OUTSIDE = { drift: '  (changed outside)', both: '  (changed outside and in the manifest)' } as const;

function changeText({ path, before, after }: FieldChange, show: 'both' | 'after only', palette: Palette): string {
  if (before === undefined && after === undefined) return `${palette.red('-')} ${path}`;
  if (before === undefined && after !== undefined) return `${palette.green('+')} ${fieldWithValue(path, after)}`;
  if (after === undefined && before !== undefined) return `${palette.red('-')} ${fieldWithValue(path, before)}`;
  const [old, wanted] = [valueText(before as Json), valueText(after as Json)];
  if (show === 'after only') return `${palette.green('+')} ${fieldWithValue(path, after as Json)}`;
  const single = !old.includes('\n') && !wanted.includes('\n');
  if (single) return `${palette.yellow('~')} ${path}: ${old} ${palette.dim('->')} ${wanted}`;
  return `${palette.yellow('~')} ${path}:\n${lineDiffText(old, wanted, palette)}`;
}

/** Omits the value if the path contains it: `members[ann@example.com]`. */
function fieldWithValue(path: string, value: Json): string {
  if (typeof value === 'string' && path.endsWith(`[${value}]`)) return path;
  const text = valueText(value);
  return text.includes('\n') ? `${path}:\n${text.replaceAll(/^/gm, '    ')}` : `${path}: ${text}`;
}

/** Formats a value on one line if it is short, otherwise on several. */
export function valueText(value: Json): string {
  if (typeof value === 'string') return value.includes('\n') ? value : quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const flow = stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
  return flow.length <= 100 && !flow.includes('\n') ? flow : stringify(value, { lineWidth: 0 }).trimEnd();
}

/** Adds a line end to a text that has none. */
export const withLineEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

function lineDiffText(before: string, after: string, palette: Palette): string {
  return diffLines(withLineEnd(before), withLineEnd(after))
    .flatMap(({ value, added, removed }) => {
      const lines = value.trimEnd().split('\n');
      if (added) return lines.map((line) => palette.green(`    + ${line}`));
      if (removed) return lines.map((line) => palette.red(`    - ${line}`));
      return (lines.length > 6 ? [...lines.slice(0, 3), '...', ...lines.slice(-3)] : lines).map(
        (line) => `      ${line}`,
      );
    })
    .join('\n');
}
