import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { Spool } from '../rows/spool.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { placeOfRow, rowName } from '../source/row-place.js';
import type { SourceTable } from '../source/source-table.js';
import { BomGraph } from './bom-graph.js';
import type { Column } from './columns.js';
import { createRowFields } from './row-fields.js';

/** Finds a BOM that contains itself, over all levels in the file; the service would refuse the row that closes it. */
export function circleCheck(
  table: SourceTable,
  columns: readonly Column[],
  definition: ImportDefinitionSpec,
  add: (finding: Finding) => void,
) {
  if (resourceNamed(definition.resource).isTree === undefined || hasMode(definition, 'DELETE')) return undefined;
  const fields = createRowFields(columns, definition);
  const graph = new BomGraph();
  return {
    add(row: number, cells: readonly string[]): void {
      const [parent, child] = [fields.identity(cells, 'number'), fields.identity(cells, 'item.number')];
      if (parent !== '' && child !== '' && parent !== child) graph.add(parent, child, row);
    },
    async finish({ path, rows, sourceRowOf }: Spool): Promise<void> {
      const circle = graph.circle();
      if (circle === undefined) return;
      const wanted = new Set(circle);
      const parents = new Map<number, string>();
      for await (const { n, cells } of readAllRows({ path, rows })) {
        const row = sourceRowOf(n);
        if (row !== undefined && wanted.has(row)) parents.set(row, fields.identity(cells, 'number'));
      }
      const names = [...circle, circle[0] ?? 0].map((row) => parents.get(row) ?? '?');
      const message = `The BOM contains itself: ${names.join(' > ')} (rows ${circle.map((row) => rowName(table, row)).join(', ')}).`;
      const hint = 'Correct one of these rows: an item cannot be below itself.';
      const row = circle.at(-1) ?? 0;
      const place = placeOfRow(table, row);
      add({ severity: 'error', code: 'bom-circle', message, hint, ...place, value: names.at(-1) ?? '' });
    },
  };
}
