import type { Column } from './column.js';
import { roleNamed } from './column-names.js';
import { type Draft, withoutValues, withRemark, withSource } from './draft.js';
import type { KnownTable } from './known-table.js';
import type { Role } from './meanings.js';
import { eachRowCells } from './row-cells.js';
import { rowsText } from './rows-text.js';

/** The columns with parts that may be used instead of others. */
export function substitutesIn({ columns, roles }: KnownTable): readonly Column[] {
  const others = new Set([...roles].flatMap(([role, column]) => (role === 'substitute' ? [] : column)));
  return columns.filter(
    (column) =>
      column.filled > 0 &&
      !others.has(column) &&
      (roles.get('substitute') === column || roleNamed(column.header) === 'substitute'),
  );
}

const ADD = 'Add them in the service, or with `dexsync api POST /items/{guid}/bom/{guid}/substitutes`.';

/** Says which columns have substitutes: lines of BOMs have them, and no resource of imports does (wire-facts 4). */
export const withSubstitutes = (draft: Draft, table: KnownTable): Draft =>
  substitutesIn(table).reduce(
    (one, { name, samples: [sample = ''] }) =>
      withRemark(
        one,
        `Open: "${name}" has substitutes of parts, such as ${JSON.stringify(sample)}, which no import writes. ${ADD}`,
      ),
    draft,
  );

/** Columns that may say that a whole row is a substitute, and how they say it. */
const MARKED: Partial<Record<Role, RegExp>> = {
  lineNumber: /^[\w.]*\d[\s./_-]*\(?(?:alt|alternate|alternative|sub|subst|substitute|altern\w*|ersatz)\b/i,
  notes:
    /^(?:alt\.?|alternat(?:e|ive)\w*|substitut\w*|replacement|second source|equivalent|ersatz|alternativ\w*|zamiennik)\s*:?\s+(?:part\s+)?(?:for|to|of|für|zu|von|de|pour|do)\s+(?!the |schema|origin|design)/i,
};

/** Leaves out rows that are substitutes of other rows, whose parts would be counted twice. */
export async function withoutSubstitutes(path: string, draft: Draft, columns: readonly Column[]): Promise<Draft> {
  if (draft.kind !== 'BOM') return draft;
  const marked = columns.flatMap(({ name, header, filled }) => {
    const mark = filled === 0 ? undefined : MARKED[roleNamed(header) as Role];
    return mark === undefined ? [] : [{ name, mark }];
  });
  if (marked.length === 0) return draft;
  const found = new Map<string, Set<string>>();
  const rows: number[] = [];
  await eachRowCells(
    path,
    draft.source,
    marked.map(({ name }) => name),
    (cells, row) => {
      const at = marked.findIndex(({ mark }, index) => mark.test(cells[index] ?? ''));
      const column = marked[at]?.name;
      if (column === undefined) return;
      found.set(column, (found.get(column) ?? new Set()).add(cells[at] ?? ''));
      rows.push(row);
    },
  );
  const [first] = [...found].map(([name, values]) => `${JSON.stringify([...values][0])} in "${name}"`);
  if (first === undefined) return draft;
  const say = `${rows.length === 1 ? 'is a substitute of another part' : 'are substitutes of other parts'} (${first})`;
  // Rows below them in a tree would belong to other rows.
  if (draft.source.hierarchy !== undefined)
    return withRemark(draft, `Open: ${rowsText(rows)} ${say}, and would be in the BOM. Leave them out by \`where\`.`);
  const source = [...found].reduce((one, [name, values]) => withoutValues(one, name, [...values]), draft.source);
  return withRemark(
    withSource(draft, source),
    `Open: ${rowsText(rows)} ${say}, left out of the BOM, since no import writes substitutes. ${ADD}`,
  );
}
