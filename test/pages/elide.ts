import { distance } from 'fastest-levenshtein';

const ELISION = '...';

/** Lines of steps that run at the same time: they come in any order, and are shown all or not at all. */
export const CONCURRENT = /^(?:✓ | {2}Import\/)/;

/**
 * An output as long as the page shows it: a line of three dots stands for lines that are left out, those between the lines before
 * it and those after it. Where the output has changed, it is cut at the lines most like those where the page cuts it.
 */
export function elide(now: readonly string[], page: readonly string[]): readonly string[] {
  const dots = page.indexOf(ELISION);
  if (dots < 0) return now;
  const [head, tail] = [page.slice(0, dots), page.slice(dots + 1)];
  const from = head.length === 0 ? 0 : 1 + edgeOf(now, head.toReversed(), 'before');
  const to = tail.length === 0 ? now.length : edgeOf(now, tail, 'after');
  return from < to ? [...now.slice(0, from), ELISION, ...now.slice(to)] : now;
}

/** The index of the outermost line that is shown, `kept` from the dots outwards. */
function edgeOf(now: readonly string[], kept: readonly string[], side: 'before' | 'after'): number {
  const blanks = kept.findIndex((line) => line !== '');
  const wanted = kept[blanks] ?? '';
  const towards = side === 'before' ? -1 : 1;
  const expected = (side === 'before' ? kept.length - 1 : now.length - kept.length) + towards * Math.max(0, blanks);
  const ranked = now
    .map((line, index) => ({ index, unlike: distance(line, wanted) / Math.max(line.length, wanted.length, 1) }))
    .filter(({ unlike }) => unlike < 0.5)
    .sort((a, b) => a.unlike - b.unlike || Math.abs(a.index - expected) - Math.abs(b.index - expected));
  const found = ranked[0]?.index ?? expected;
  const edge = Math.min(Math.max(found - towards * Math.max(0, blanks), 0), now.length - 1);
  return side === 'before' ? edge : beginningOfSteps(now, edge);
}

const beginningOfSteps = (now: readonly string[], edge: number): number =>
  CONCURRENT.test(now[edge] ?? '') && CONCURRENT.test(now[edge - 1] ?? '') ? beginningOfSteps(now, edge - 1) : edge;
