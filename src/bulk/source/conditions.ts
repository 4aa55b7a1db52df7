import type { Condition, ImportSource } from '../../jobs/source.js';
import { columnNamed } from './headers.js';
import type { SourceTable } from './source-table.js';

type Holds = (cells: readonly string[]) => boolean;

/** Whether a row is one of those that `where` asks for: all its conditions hold. */
export function conditionsOf(
  table: Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow'>,
  where: NonNullable<ImportSource['where']>,
): Holds {
  const all = Object.entries(where).map(([column, condition]): Holds => {
    const index = columnNamed(table, column, 'where');
    const { values, wanted } = parsed(condition);
    return (cells) => values.has((cells[index] ?? '').trim()) === wanted;
  });
  return (cells) => all.every((holds) => holds(cells));
}

function parsed(condition: Condition): { values: ReadonlySet<string>; wanted: boolean } {
  const negated = typeof condition === 'object' && !Array.isArray(condition);
  const values = negated ? (condition as { not: string | string[] }).not : (condition as string | string[]);
  return { values: new Set([values].flat().map((value) => value.trim())), wanted: !negated };
}
