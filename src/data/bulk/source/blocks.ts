import { foldName } from './headers.js';
import type { Projection, RawRow, RowStep } from './raw-table.js';
import { isBlank, isEmpty } from './source-table.js';

/** How a table is divided into blocks. */
export interface Blocks {
  readonly project: Projection;
  /** The texts of the header rows, as `headerText` gives them. */
  readonly headerTexts: readonly string[];
  /** The last rows above the first header. */
  readonly above: readonly RawRow[];
  /** The last line of the first header. */
  readonly after: number;
}

/**
 * Reads the blocks of a table. A row that repeats the header begins one, and the row with a single text just above it
 * is its title; a row with a single text elsewhere is a row like others. `begin` handles the rows of a block.
 */
export function blockSteps(
  { project, headerTexts, above, after }: Blocks,
  begin: (after: number, title: string) => RowStep,
): RowStep {
  let title = titleIn(above.at(-1), project) ?? '';
  let step: RowStep | undefined = begin(after, title);
  let held: RawRow[] = [];
  const pass = (rows: readonly (RawRow | undefined)[], add: AddRow): void => {
    for (const row of rows) if (step?.(row, add) === 'end') step = undefined;
  };
  const beginAt = (row: RawRow, line: number): void => {
    if (line === 0) title = titleIn(held[0], project) ?? '';
    step = begin(row.end ?? row.row, title);
    held = [];
  };
  const take = (row: RawRow, cells: readonly string[], add: AddRow): void => {
    if (held.length > 0 && isBlank(cells)) {
      held.push(row);
      return;
    }
    pass(held, add);
    held = titleIn(row, project) === undefined ? [] : [row];
    if (held.length === 0) pass([row], add);
  };
  return (given, add) => {
    if (given === undefined) pass(held, add);
    else {
      const { cells } = project(given);
      const line = headerTexts.indexOf(headerText(cells));
      if (line >= 0) beginAt(given, line);
      else take(given, cells, add);
    }
    return 'more';
  };
}

type AddRow = Parameters<RowStep>[1];

/** The cells of a header row in a form to compare, without letter case, outer white space and empty cells at the end. */
export function headerText(cells: readonly string[]): string {
  const names = cells.map(foldName);
  while (names.at(-1) === '') names.pop();
  return names.join(' | ');
}

/** The only text of a row, as titles are; undefined if it has several, or none. */
export function onlyText(cells: readonly string[]): string | undefined {
  const [text, ...others] = cells.filter((cell) => !isEmpty(cell));
  return others.length === 0 ? text?.trim() : undefined;
}

const titleIn = (row: RawRow | undefined, project: Projection): string | undefined =>
  row === undefined ? undefined : onlyText(project(row).cells);
