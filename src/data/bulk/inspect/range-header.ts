import type { ImportSource } from '#core/jobs/source.js';
import { type CellRange, parseRange } from '../source/cell-range.js';
import { type HeaderLine, headerCandidates, LOOKED_AT } from '../source/header-guess.js';
import { openRawTable } from '../source/open-source.js';
import { isBlank } from '../source/source-table.js';
import { findHeader, hasNames } from './table-header.js';

/** A source whose header is where its range says, or elsewhere, with sentences about that. */
export interface WithHeader {
  readonly source: ImportSource;
  readonly remarks: readonly string[];
}

/** Finds the header of a range that begins below it, since its first row would be lost as the header. */
export async function withRangeHeader(path: string, source: ImportSource): Promise<WithHeader> {
  const range = source.range === undefined ? undefined : parseRange(source.range);
  if (range === undefined || source.headerRow !== undefined || source.header !== undefined)
    return { source, remarks: [] };
  const { above, within } = await linesAround(path, source, range);
  if (hasNames(within[0])) return { source, remarks: [] };
  const found = headerAbove(above, within, range.top);
  if (found !== undefined) {
    const says = `row ${found.row} above it looks like the header and is read as one`;
    const hint = `Write \`--header-row ${found.row}\`, or \`--no-header\` if the table has none`;
    return {
      source: { ...source, headerRow: found.row },
      remarks: [`Open: the range ${source.range} has no header; ${says}. ${hint}.`],
    };
  }
  if (within.length < 2 || findHeader(within).rows !== 0) return { source, remarks: [] };
  const says = 'its first row is read as data, and the columns have letters for names';
  const hint = 'Write `--no-header`, or `--header-row N` if a row has the headers';
  return {
    source: { ...source, header: 'none' },
    remarks: [`Open: the range ${source.range} has no header; ${says}. ${hint}.`],
  };
}

/** The row above with usual names of columns, with no blank row below it; if the range begins with data, any just above. */
function headerAbove(above: readonly HeaderLine[], within: readonly HeaderLine[], top: number): HeaderLine | undefined {
  const at = above.findLastIndex(hasNames);
  const named = above[at];
  if (named !== undefined && named.row + above.length - at === top) return named;
  const last = above.at(-1);
  if (last?.row !== top - 1 || within.length < 2 || findHeader(within).rows !== 0) return undefined;
  const [best] = headerCandidates([last, ...within]);
  return best?.row === last.row ? last : undefined;
}

async function linesAround(path: string, source: ImportSource, { top, bottom, left, right }: CellRange) {
  const above: HeaderLine[] = [];
  const within: HeaderLine[] = [];
  const { batches } = await openRawTable(path, source);
  for await (const batch of batches) {
    for (const { row, cells: all } of batch) {
      const cells = all.map((cell, column) => (column < left || column > right ? '' : cell));
      if (isBlank(cells) || row > bottom) continue;
      (row < top ? above : within).push({ row, cells });
      if (above.length > LOOKED_AT) above.shift();
    }
    if (within.length >= LOOKED_AT) break;
  }
  return { above, within: within.slice(0, LOOKED_AT) };
}
