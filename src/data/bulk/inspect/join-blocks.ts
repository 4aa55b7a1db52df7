import { headerText, onlyText } from '../source/blocks.js';
import type { FoundTable } from './find-tables.js';
import { findHeader } from './table-header.js';

interface Headed {
  readonly table: FoundTable;
  readonly header: string;
  /** A row with a single text just above the header. */
  readonly title: string | undefined;
}

/** The header of a table in a form to compare; undefined without one row of headers. */
export function tableHeader({ head }: FoundTable): string | undefined {
  const { row, rows } = findHeader(head);
  const line = head.find((one) => one.row === row);
  return rows === 1 && line !== undefined ? headerText(line.cells) : undefined;
}

/**
 * Joins the tables of a sheet that have one header, with the titles above them. Where others stand between them, each
 * must have a title and no blank rows: only then does a source know where it ends.
 */
export function joinBlocks(tables: readonly FoundTable[]): readonly FoundTable[] {
  const whole = withTitles(tables);
  const headed = whole.flatMap((table): Headed[] => {
    const header = table.rows > 1 ? tableHeader(table) : undefined;
    return header === undefined ? [] : [{ table, header, title: tableTitle(table) }];
  });
  const joined = [...new Set(headed.map(({ header }) => header))].flatMap((header) =>
    joinedTable(
      headed.filter((one) => one.header === header),
      whole,
    ),
  );
  if (joined.length === 0) return tables;
  const parts = new Set(joined.flatMap(({ of }) => of));
  return [...joined.map(({ table }) => table), ...whole.filter((table) => !parts.has(table))].sort(
    (one, other) => one.top - other.top || one.left - other.left,
  );
}

/** Adds a row with a single text to the table that begins below it. */
function withTitles(tables: readonly FoundTable[]): FoundTable[] {
  const whole: FoundTable[] = [];
  for (const table of tables) {
    const above = whole.at(-1);
    const isTitle = above?.filled === 1 && above.left >= table.left && above.left <= table.right;
    const isFirst = findHeader(table.head).row === table.head[0]?.row;
    if (above === undefined || !isTitle || !isFirst || table.rows < 2) whole.push(table);
    else
      whole.splice(-1, 1, { ...table, top: above.top, filled: table.filled + 1, head: [...above.head, ...table.head] });
  }
  return whole;
}

/** The row with a single text just above the header of a table. */
export function tableTitle({ head }: FoundTable): string | undefined {
  const header = findHeader(head).row;
  const at = head.findIndex(({ row }) => row === header);
  return onlyText(head[at - 1]?.cells ?? []);
}

function joinedTable(blocks: readonly Headed[], all: readonly FoundTable[]) {
  const [first, last] = [blocks[0]?.table, blocks.at(-1)?.table];
  if (first === undefined || last === undefined || blocks.length < 2) return [];
  const of = blocks.map(({ table }) => table);
  const isTitled = blocks.every(({ title }) => title !== undefined);
  const holds = isTitled && of.every((table) => table.holds === 'rows') ? 'rows' : 'blank rows';
  const isBetween = (one: FoundTable): boolean => !of.includes(one) && one.bottom > first.top && one.top < last.bottom;
  if (holds !== 'rows' && all.some(isBetween)) return [];
  const sum = (count: (table: FoundTable) => number): number => of.reduce((all, table) => all + count(table), 0);
  const table: FoundTable = {
    ...first,
    ...{ bottom: last.bottom, right: Math.max(...of.map(({ right }) => right)), holds },
    ...{ rows: sum(({ rows }) => rows), filled: sum(({ filled }) => filled) },
    ...(isTitled ? { blocks: 'titled', titles: blocks.flatMap(({ title }) => title ?? []) } : { blocks: 'untitled' }),
  };
  return [{ table, of }];
}
