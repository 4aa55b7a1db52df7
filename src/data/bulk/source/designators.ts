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
export const splitDesignators = (cell: string): string[] => filled(plainSeparators(cell).split(SEPARATORS));

/** Writes ranges with a dash, and a comma in place of slashes. */
const plainSeparators = (cell: string): string => cell.replaceAll(BETWEEN, '-').replaceAll(SLASH, ',');

const filled = (parts: readonly string[]): string[] => parts.filter((part) => part !== '');

/** Between designators, other than white space. */
const COMMAS = /[,;，、；\r\n]+/;
/** What has a digit behind letters, or an underscore. */
const OF_LIST = /^[A-Za-z$.]{1,4}\d|_/;

/** Letters and the number of one designator. */
const APART = /^\s*([A-Za-z]{1,4})\s+(\d+)\s*$/;

/** Splits a cell as people mean it: words without any designator, such as "Front panel", are one. */
export const readDesignators = (cell: string): string[] =>
  filled(
    plainSeparators(cell)
      .split(COMMAS)
      .flatMap((part) => {
        const words = filled(part.replace(APART, '$1$2').split(/\s+/));
        return words.some((word) => OF_LIST.test(word)) ? words : [words.join('_')];
      }),
  );

/** Writes designators as the service reads them: R1,R2,R4-R10. */
export const plainDesignators = (cell: string): string => readDesignators(cell).join(',');

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
