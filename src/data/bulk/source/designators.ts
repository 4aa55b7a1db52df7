const RANGE = /^([A-Za-z_]*)(\d+)-([A-Za-z_]*)(\d+)$/;
const SEPARATORS = /[\s,;，、；]+/;
/** As the service separates them (wire-facts 8.2). */
const PLAIN_SEPARATORS = /[\s,;]+/;

/** Between the ends of a range: a dash of any length, dots, a wave, or a word for "to". */
const BETWEEN =
  /(?<=[A-Za-z_]\d+)(?:\s*(?:[–—−~～〜…]|\.{2,3}|-(?=\s))\s*|\s+-\s*|\s+(?:to|thru|through|bis|à|a|al|do|tot)\s+)(?=[A-Za-z_]*\d)/gi;

/** A slash between two designators, or between words with spaces around it. */
const SLASH = /(?<=\d)\s*\/\s*(?=[A-Za-z]+\d)|(?<=\w)\s+\/\s+(?=[A-Za-z])/g;

/** Splits a cell into its designators and ranges of them. */
export const splitDesignators = (cell: string): string[] =>
  cell
    .replaceAll(BETWEEN, '-')
    .replaceAll(SLASH, ',')
    .split(SEPARATORS)
    .filter((part) => part !== '');

/** Writes designators as the service reads them: R1,R2,R4-R10. */
export const plainDesignators = (cell: string): string => splitDesignators(cell).join(',');

/** Whether the service reads a cell as it is meant. */
export const arePlainDesignators = (cell: string): boolean =>
  cell
    .split(PLAIN_SEPARATORS)
    .filter((part) => part !== '')
    .join(',') === plainDesignators(cell);

/** Counts designators with ranges such as `R3-R5` expanded; undefined if a range makes no sense. */
export function designatorCount(designators: readonly string[]): number | undefined {
  let count = 0;
  for (const part of designators) {
    const [, prefix = '', from = '', other = '', to = ''] = RANGE.exec(part) ?? [];
    const length = from === '' ? 1 : Number(to) - Number(from) + 1;
    if (length < 1 || (other !== '' && other !== prefix)) return undefined;
    count += length;
  }
  return count;
}
