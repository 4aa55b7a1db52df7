import { closest, distance } from 'fastest-levenshtein';

/** The candidate that was probably meant; undefined if none is close enough to suggest. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const byFolded = new Map(candidates.map((candidate) => [candidate.toLowerCase(), candidate]));
  const found = closest(word.toLowerCase(), [...byFolded.keys()]);
  const limit = Math.max(2, Math.ceil(word.length / 3));
  return distance(word.toLowerCase(), found) <= limit ? byFolded.get(found) : undefined;
}

/** The candidate that differs from a word by one edit or a swap of neighbours, ignoring letter case. */
export function mistypedFrom(word: string, candidates: readonly string[]): string | undefined {
  const own = word.toLowerCase();
  return candidates.find((candidate) => {
    const other = candidate.toLowerCase();
    return distance(own, other) === 1 || isSwapOf(own, other);
  });
}

function isSwapOf(word: string, other: string): boolean {
  let at = 0;
  while (at < other.length && word[at] === other[at]) at += 1;
  const swapped = other.slice(0, at) + other.charAt(at + 1) + other.charAt(at) + other.slice(at + 2);
  return word !== other && word === swapped;
}

/** `Did you mean "x"?`, or the candidates if they are few, or undefined. */
export function nearestHint(word: string, candidates: readonly string[]): string | undefined {
  const found = nearest(word, candidates);
  if (found !== undefined) return `Did you mean "${found}"?`;
  if (candidates.length === 0 || candidates.length > 12) return undefined;
  return `Known: ${candidates.map((candidate) => `"${candidate}"`).join(', ')}.`;
}
