/**
 * Whether a text matches a pattern: `*` matches any text, slashes included, `?` one character. Every other character
 * matches itself, including brackets, parentheses, backslashes and dots, since names contain all of these.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const characters = [...text];
  const [first, ...rest] = pattern.split('*').map((part) => [...part]) as [string[], ...string[][]];
  const last = rest.pop();
  if (last === undefined) return characters.length === first.length && isAt(first, characters, 0);
  if (!isAt(first, characters, 0)) return false;
  let from = first.length;
  for (const part of rest) {
    const found = placeOf(part, characters, from);
    if (found === undefined) return false;
    from = found + part.length;
  }
  const end = characters.length - last.length;
  return end >= from && isAt(last, characters, end);
}

/** Finds the first place of a part: an earlier place never spoils what follows. */
function placeOf(part: readonly string[], characters: readonly string[], from: number): number | undefined {
  for (let at = from; at + part.length <= characters.length; at += 1) if (isAt(part, characters, at)) return at;
  return undefined;
}

const isAt = (part: readonly string[], characters: readonly string[], at: number): boolean =>
  part.every((wanted, index) => {
    const found = characters[at + index];
    return wanted === '?' ? found !== undefined : wanted === found;
  });

/** Whether a text may name several: with wildcards, or as a list with commas. */
export const namesSeveral = (text: string): boolean => isPattern(text) || text.includes(',');

/** Whether a text may match other texts than itself. */
export const isPattern = (text: string): boolean => /[*?]/.test(text);
