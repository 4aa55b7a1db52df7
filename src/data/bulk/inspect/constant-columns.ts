import type { ImportSource } from '#core/jobs/source.js';
import { PARENT_COLUMN } from '#core/jobs/source-cells.js';
import type { Column } from './column.js';
import { factCollector } from './column-facts.js';
import { columnSummarizer } from './column-summary.js';

/** Columns that have one value in each row: the `constants` of a source. */
export function constantColumns({ constants = {} }: ImportSource, rows: number): Column[] {
  const names = Object.keys(constants).filter((name) => name !== PARENT_COLUMN);
  const row = { row: 1, cells: names.map((name) => constants[name] ?? '') };
  const [summarizer, facts] = [columnSummarizer(names), factCollector(names)];
  summarizer.add(row);
  facts.add(row);
  const found = facts.facts();
  return summarizer
    .columns()
    .map((column, index) => ({ ...column, ...(found[index] as Column), filled: column.filled * rows, index }));
}
