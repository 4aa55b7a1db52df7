import { SheetChanges, type SheetData, type SheetRow } from '#base/pages/browser/sheet-changes.js';
import { groupedCount, htmlAround, scriptJson } from '#base/pages/html-page.js';
import { toPrintable } from '#base/printable.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange, RowCounts, RowsPreview } from '#core/model/rows-preview.js';
import type { Column } from '../../preflight/columns.js';
import type { RowRanges } from '../../rows/row-ranges.js';
import { nameOfTable, type SourceTable } from '../../source/source-table.js';
import { controlsSection } from './controls-section.js';
import { countsSection } from './counts-section.js';
import { type PageFacts, type PageRoom, ROW_MARKS, rowLabels } from './page-head.js';
import { sheetColumns } from './sheet-columns.js';
import { sheetRows } from './sheet-rows.js';
import { STYLE } from './style.js';

/** An import whose rows were compared. */
export interface ChangesPageInput {
  readonly facts: PageFacts;
  readonly preview: RowsPreview;
  readonly counts: RowCounts;
  readonly columns: readonly Column[];
  readonly definition: ImportDefinitionSpec;
  readonly only?: RowRanges;
  /** The source as it was read for the comparison. */
  readonly table: Omit<SourceTable, 'batches'>;
  readonly changes: AsyncIterable<RowChange>;
}

/** Limits of what a browser shows without delay: rows, and cells of all of them. */
const MOST_ROWS = 50_000;
const MOST_CELLS = 1_500_000;
/** Up to this total of rows, unchanged rows are on the page too. */
const MOST_WITH_UNCHANGED = 20_000;

/** Renders the rows of a sheet as a self-contained page with the changes marked. Memory stays flat. */
export async function* changesPage(input: ChangesPageInput): AsyncGenerator<string> {
  const { table, columns, definition, only, changes, preview } = input;
  const { keys } = resourceNamed(definition.resource);
  const sheet = sheetColumns(table, columns, keys);
  const room = roomOf(input.counts, sheet.all.length);
  const shown = { ...input, changes: undefined, table: undefined, name: nameOfTable(table), sheet, room };
  const { beforeData, afterData } = htmlAround({
    title: `${nameOfTable(table)}: ${groupedCount(room.changed)} changed ${room.changed === 1 ? 'row' : 'rows'}`,
    style: STYLE,
    view: SheetChanges,
    body: [countsSection(toPrintable(shown)), controlsSection(toPrintable(shown))],
  });
  yield* beforeData;
  const notCompared = new Set(preview.columnsNotCompared);
  const data: Omit<SheetData, 'rows'> = {
    columns: toPrintable(sheet.all.map((column) => ({ ...column, isCompared: !notCompared.has(column.name) }))),
    hasParents: keys.length > 1 && keys.every((_, index) => sheet.keys[index] !== undefined),
    words: rowLabels(input.counts),
    marks: ROW_MARKS,
  };
  yield `${scriptJson(data).slice(0, -1)},"rows":[`;
  const { unchanged } = room;
  const only1 = only === undefined ? {} : { only };
  yield* rowsJson(sheetRows({ table, sheet, columns, definition, ...only1, changes, unchanged }), room.rows);
  yield '\n]}';
  yield afterData;
}

function roomOf({ unchanged, notCompared, ...counts }: RowCounts, width: number): PageRoom {
  const changed =
    counts.new + counts.changed + counts.removed + counts.refused + (counts.gone ?? 0) + (counts.kept ?? 0);
  const most = Math.min(MOST_ROWS, Math.floor(MOST_CELLS / Math.max(1, width)));
  const all = changed + unchanged + notCompared;
  const isSmall = all <= Math.min(most, MOST_WITH_UNCHANGED);
  return { rows: isSmall ? all : Math.min(most, changed), changed, unchanged: isSmall ? 'shown' : 'left out' };
}

/** In characters. */
const BATCH = 64 * 1024;

async function* rowsJson(rows: AsyncIterable<SheetRow>, most: number): AsyncGenerator<string> {
  let batch = '';
  let count = 0;
  for await (const row of rows) {
    if (count === most) break;
    batch += `${count === 0 ? '\n' : ',\n'}${scriptJson(toPrintable(row))}`;
    count += 1;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = '';
  }
  yield batch;
}
