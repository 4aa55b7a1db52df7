import { diffLines, diffWordsWithSpace } from 'diff';
import type { Line, Segment } from '#base/pages/browser/plan-changes.js';
import { withLineEnd } from '../human/field-text.js';

/** Characters of the longest value; others are cut to keep the page readable. */
const LONGEST = 20_000;
/** Characters of a line up to which words are compared. */
const LONGEST_COMPARED = 2000;
/** Number of equal lines that are shown around a difference. */
const AROUND = 3;

/** Lines up two values side by side; undefined if there is no such side. */
export function sideBySide(before: string | undefined, after: string | undefined): Line[] {
  if (before === undefined || after === undefined) {
    const own = linesOf(before ?? after ?? '').map((text): readonly Segment[] => [[text, 0]]);
    return own.map((line) => (before === undefined ? [null, line] : [line, null]));
  }
  const lines: Line[] = [];
  let removed: string[] = [];
  const pair = (added: readonly string[]): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      lines.push(changedLine(removed[index], added[index]));
    removed = [];
  };
  for (const part of diffLines(withLineEnd(cut(before)), withLineEnd(cut(after)))) {
    const own = part.value.split('\n').slice(0, -1);
    if (part.removed) {
      removed = own;
    } else if (part.added) {
      pair(own);
    } else {
      pair([]);
      lines.push(...unchanged(own));
    }
  }
  pair([]);
  return lines;
}

const cut = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n... and ${text.length - LONGEST} more characters`;

const linesOf = (text: string): string[] => withLineEnd(cut(text)).split('\n').slice(0, -1);

function unchanged(lines: readonly string[]): Line[] {
  const shown =
    lines.length > 2 * AROUND + 1
      ? [...lines.slice(0, AROUND), `... ${lines.length - 2 * AROUND} equal lines`, ...lines.slice(-AROUND)]
      : lines;
  return shown.map((text): Line => [[[text, 0]], [[text, 0]]]);
}

function changedLine(before: string | undefined, after: string | undefined): Line {
  if (before === undefined || after === undefined || before.length + after.length > LONGEST_COMPARED)
    return [before === undefined ? null : [[before, 1]], after === undefined ? null : [[after, 1]]];
  const parts = diffWordsWithSpace(before, after);
  const side = (gone: 'added' | 'removed'): Segment[] =>
    parts.filter((part) => !part[gone]).map(({ value, added, removed }) => [value, added || removed ? 1 : 0]);
  return [side('added'), side('removed')];
}
