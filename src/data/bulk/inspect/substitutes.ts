import { roleNamed } from './column-names.js';
import type { Column } from './column-roles.js';
import { type Draft, withRemark } from './draft.js';
import type { KnownTable } from './known-table.js';

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

/** Says which columns have substitutes: lines of BOMs have them, and no resource of imports does (wire-facts 4). */
export const withSubstitutes = (draft: Draft, table: KnownTable): Draft =>
  substitutesIn(table).reduce(
    (one, { name, samples: [sample = ''] }) =>
      withRemark(
        one,
        `Open: "${name}" has substitutes of parts, such as ${JSON.stringify(sample)}, which no import writes. Add them in the service, or with \`dexsync api POST /items/{guid}/bom/{guid}/substitutes\`.`,
      ),
    draft,
  );
