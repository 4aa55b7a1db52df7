import { DexsyncError } from '#base/errors.js';
import type { ImportSource } from '#core/jobs/source.js';
import { columnLetters } from '../source/cell-range.js';
import { type HeaderLine, LOOKED_AT } from '../source/header-guess.js';
import { openRawTable } from '../source/open-source.js';
import { isEmpty } from '../source/source-table.js';

const LEAST_NAMES = 3;

/** Names the columns of rows that tabs divide by a header above them that runs of spaces divide. */
export async function withSpacedHeader(path: string, source: ImportSource): Promise<ImportSource> {
  if (source.range !== undefined || source.headerRow !== undefined || source.header !== undefined) return source;
  const [header, ...rows] = await firstLines(path, source);
  const names = header?.cells.length === 1 ? (header.cells[0] ?? '').trim().split(/ {2,}/) : [];
  if (header === undefined || names.length < LEAST_NAMES || rows.length === 0) return source;
  const filled = new Set(rows.flatMap(({ cells }) => cells.flatMap((cell, index) => (isEmpty(cell) ? [] : [index]))));
  if (filled.size !== names.length || rows.some(({ cells }) => cells.length === 1)) return source;
  const letters = [...filled].sort((one, other) => one - other).map(columnLetters);
  const rename = Object.fromEntries(letters.map((letter, index) => [letter, names[index] ?? letter]));
  return {
    ...source,
    ...{ header: 'none', range: `A${header.row + 1}:${letters.at(-1)}`, rename: { ...rename, ...source.rename } },
  };
}

/** The first lines of a text, as far as it can be read. */
async function firstLines(path: string, source: ImportSource): Promise<HeaderLine[]> {
  const lines: HeaderLine[] = [];
  const { form, batches } = await openRawTable(path, source);
  try {
    for await (const batch of batches) {
      if (form === 'text') lines.push(...batch.filter(({ cells }) => !cells.every(isEmpty)));
      if (form !== 'text' || lines.length >= LOOKED_AT) break;
    }
  } catch (error) {
    if (!(error instanceof DexsyncError)) throw error;
  }
  return lines.slice(0, LOOKED_AT);
}
