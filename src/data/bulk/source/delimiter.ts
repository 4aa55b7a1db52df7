const CANDIDATES = [',', ';', '\t', '|'] as const;
const RECORDS = 200;

/** What messages call the delimiters that are found by themselves, in the plural. */
export const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/**
 * The delimiter of a text by its first lines: the one that cuts most of them into the same number of cells, and into the
 * most where several do. Without any, `otherwise`. A last line that may be cut off does not count.
 */
export function findDelimiter(text: string, otherwise: string): string {
  const scores = CANDIDATES.map((delimiter) => ({ delimiter, ...evenness(widthsOf(text, delimiter)) }));
  const best = scores.reduce((one, other) => (isBetter(other, one, otherwise) ? other : one));
  return best.width > 1 ? best.delimiter : otherwise;
}

interface Score {
  readonly delimiter: string;
  /** The share of rows that have the width. */
  readonly share: number;
  readonly width: number;
}

function isBetter(one: Score, other: Score, preferred: string): boolean {
  if (one.width < 2 || other.width < 2) return one.width >= 2 && other.width < 2;
  if (Math.abs(one.share - other.share) > 0.05) return one.share > other.share;
  return one.width === other.width ? one.delimiter === preferred : one.width > other.width;
}

/** The most frequent width beyond 1. */
function evenness(widths: readonly number[]): Omit<Score, 'delimiter'> {
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [width = 0, count = 0] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  return { width, share: widths.length === 0 ? 0 : count / widths.length };
}

/** How many cells each of the first rows has that is not blank. A cell ends with the delimiter or with its line. */
function widthsOf(text: string, delimiter: string): number[] {
  const mark = delimiter === '|' ? '\\|' : delimiter;
  const cell = new RegExp(`(?:"[^"]*(?:""[^"]*)*"?)?[^${mark}\\r\\n]*(${mark}|\\r\\n|\\n|\\r)`, 'gy');
  const widths: number[] = [];
  let width = 0;
  let filled = false;
  for (const [whole, end] of text.matchAll(cell)) {
    width += 1;
    filled ||= whole.slice(0, -1).trim() !== '';
    if (end === delimiter) continue;
    if (filled) widths.push(width);
    if (widths.length === RECORDS) break;
    width = 0;
    filled = false;
  }
  return widths;
}

/** The text up to its last line break, where it was cut off from a longer one. */
export const wholeLinesOf = (text: string): string => {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return end === -1 ? text : text.slice(0, end + 1);
};
