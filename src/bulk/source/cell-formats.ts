import { readWholeXml } from './xml-events.js';

/** Formats of dates and times that no workbook writes down, those of East Asian languages among them (18.8.30). */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const;

/** The number formats by the style that a cell names, from a styles part (ECMA-376 part 1, 18.8.10 and 18.8.31). */
export async function readFormats(chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let group = '';
  await readWholeXml(chunks, {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmts' || name === 'cellXfs') group = name;
      else if (name === 'numFmt' && group === 'numFmts') codes.set(Number(numFmtId), formatCode ?? '');
      else if (name === 'xf' && group === 'cellXfs') styles.push(Number(numFmtId ?? 0));
    },
    close(name) {
      if (name === group) group = '';
    },
  });
  return styles.map((id) => codes.get(id) ?? builtIn(id));
}

/** What the others show are quantities, which are read alike in all of them. */
const builtIn = (id: number): string =>
  BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last) ? 'yyyy-mm-dd hh:mm' : 'General';
