const CANDIDATES = [',', ';', '\t', '|'] as const;
const RECORDS = 200;

/** Names in messages of the delimiters that are detected, in the plural. */
export const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/**
 * Detects a delimiter by the first lines: the one that cuts most of them into the same number of cells, and of several
 * the one with the most cells; else `otherwise`. A last line that may be cut off does not count.
 */
export function findDelimiter(text: string, otherwise: string): string {
  const scores = CANDIDATES.map((delimiter) => ({ delimiter, ...evenness(widthsOf(text, delimiter)) }));
  const best = scores.reduce((one, other) => (isBetter(other, one, otherwise) ? other : one));
  return best.width > 1 ? best.delimiter : otherwise;
}

interface Score {
  readonly delimiter: string;
  /** Share of the rows with this width. */
  readonly share: number;
  readonly width: number;
}

function isBetter(one: Score, other: Score, preferred: string): boolean {
  if (one.width < 2 || other.width < 2) return one.width >= 2 && other.width < 2;
  if (areDecimals(other) && isTable(one)) return true;
  if (areDecimals(one) && isTable(other)) return false;
  if (Math.abs(one.share - other.share) > 0.05) return one.share > other.share;
  return one.width === other.width ? one.delimiter === preferred : one.width > other.width;
}

/** One comma a row may be the decimal mark of a number. */
const areDecimals = ({ delimiter, width }: Score): boolean => delimiter === ',' && width === 2;
const isTable = ({ width, share }: Score): boolean => width > 2 && share >= 0.4;

/** Finds the most frequent width above 1. */
function evenness(widths: readonly number[]): Omit<Score, 'delimiter'> {
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [width = 0, count = 0] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  return { width, share: widths.length === 0 ? 0 : count / widths.length };
}

/** Counts the cells of the first rows that are not blank. A cell ends with the delimiter or with its line. */
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

/** Text up to its last line break, for a text that was cut off. */
export const cutToWholeLines = (text: string): string => {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return end === -1 ? text : text.slice(0, end + 1);
};
