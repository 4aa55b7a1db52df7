import { excerpt } from '#base/printable.js';
import type { DriftedRow, ImportDrift } from '#core/model/import-drift.js';
import { countText } from './count-text.js';
import type { Palette } from './palette.js';
import { rowText, valueText } from './row-words.js';

const SHOWN_ROWS = 10;

/** Counts the records of an import that have changed since it. */
export const driftedRows = ({ counts }: Pick<ImportDrift, 'counts'>): number =>
  counts === undefined ? 0 : counts.changed + counts.gone + counts.back + counts.added;

/** Lists the rows of one import that somebody has changed since. */
export function importDriftText(found: ImportDrift, palette: Palette): string {
  const { address, changes, runs, at } = found;
  const count = driftedRows(found);
  const since = palette.dim(`  since ${runs ?? 'its commit'} of ${at.slice(0, 10)}`);
  const head = `  ${palette.yellow('~')} ${palette.bold(address)}  ${palette.yellow(driftPhrase(found))}${since}`;
  const shown = changes.slice(0, SHOWN_ROWS).map((row) => `      ${driftText(row, palette)}`);
  const more = count - shown.length;
  return [head, ...shown, ...(more > 0 ? [palette.dim(`      and ${more} more`)] : [])].join('\n');
}

/** `2 records changed, 1 record no longer there`. */
export function driftPhrase({ counts }: Pick<ImportDrift, 'counts'>): string {
  if (counts === undefined) return 'not compared';
  const parts: readonly [number, string][] = [
    [counts.changed, 'changed'],
    [counts.gone, 'no longer there'],
    [counts.back, 'there again'],
    [counts.added, 'added'],
  ];
  return parts.flatMap(([many, words]) => (many === 0 ? [] : [`${countText(many, 'record')} ${words}`])).join(', ');
}

function driftText(row: DriftedRow, palette: Palette): string {
  const { what, key, cells } = row;
  const name = `${excerpt(key.join(' / '))}${rowText(row)}`;
  switch (what) {
    case 'changed':
      return `${palette.yellow('~')} ${name}: ${cells.map((cell) => cellText(cell, palette)).join(', ')}`;
    case 'gone':
      return `${palette.red('-')} ${name}: no longer in the workspace`;
    case 'back':
      return `${palette.green('+')} ${name}: removed by the import, and there again`;
    case 'added':
      return `${palette.green('+')} ${name}: added to the BOM`;
  }
  return what satisfies never;
}

const cellText = ({ column, applied, now }: DriftedRow['cells'][number], palette: Palette): string =>
  `${column} ${valueText(applied)} ${palette.dim('->')} ${valueText(now)}`;

/** Says which imports and columns were compared, and which were not. */
export function comparedText(imports: readonly ImportDrift[], palette: Palette): string[] {
  const unread = imports.filter(({ counts }) => counts === undefined);
  const compared = imports.length - unread.length;
  const partly = imports.flatMap(({ address, counts, columnsNotCompared = [] }) => {
    if (counts === undefined || columnsNotCompared.length === 0) return [];
    const columns = columnsNotCompared.map((column) => `"${column}"`).join(', ');
    return [palette.yellow(`Not compared: ${columns} of ${address}, which the workspace does not show.`)];
  });
  return [
    `Rows of ${countText(compared, 'import')} compared with the workspace.`,
    ...unread.map(({ address, why }) => palette.yellow(`Not compared: ${address}: ${why}.`)),
    ...partly,
  ];
}
