import type { AddedColumn } from '#core/jobs/source-cells.js';
import type { Column } from './column.js';
import { type Draft, LEFT_OUT, withoutValues, withRemark, withSource } from './draft.js';
import { emptied } from './placeholder-texts.js';

/** Fields that identify records, and those that a record must have: no cell of theirs is emptied. */
const NEEDED = ['number', 'name', 'item.number', 'quantity'];

/** Sends placeholders such as "-" or "TBD" as empty cells, and lists them with their counts. */
export function emptyPlaceholders(draft: Draft, columns: readonly Column[]): Draft {
  const fields = [...draft.mapping]
    .filter(([field]) => !NEEDED.includes(field))
    .map(([, column]) => designatorsIn(draft.source.columns?.[column]) ?? column);
  const found = columns.filter(({ name, placeholders }) => fields.includes(name) && placeholders.size > 0);
  if (found.length === 0) return draft;
  const values = Object.fromEntries(found.map(({ name, placeholders }) => [name, emptied(placeholders)]));
  const shown = found.map(({ name, placeholders }) => shownIn({ name, values: placeholders })).join('; ');
  return withRemark(
    withSource(draft, { values: { ...draft.source.values, ...values } }),
    `Cells that stand for no value are sent empty: ${shown}.`,
  );
}

/** The column of the file whose designators an added column has. */
const designatorsIn = (added: AddedColumn | undefined): string | undefined =>
  typeof added === 'object' && 'designators' in added ? added.designators : undefined;

/** Leaves out rows whose key is a placeholder. */
export const withoutPlaceholders = (draft: Draft, keys: readonly Column[]): Draft =>
  withoutMarked(
    draft,
    keys.flatMap(({ name, placeholders }) => (placeholders.size === 0 ? [] : [{ name, values: placeholders }])),
    [''],
  );

/** Values of a column that leave their rows out, and how often each occurs. */
interface Marked {
  readonly name: string;
  readonly values: ReadonlyMap<string, number>;
}

/** The values of a column that are of a kind; none if its values are too many to know. */
export function markedIn({ name, values = new Map() }: Column, isMarked: (value: string) => boolean): Marked[] {
  const found = new Map([...values].filter(([value]) => isMarked(value)));
  return found.size === 0 ? [] : [{ name, values: found }];
}

/** Leaves out rows with one of these values, each with the number of its rows, and rows with the `unsaid` ones. */
export function withoutMarked(draft: Draft, marked: readonly Marked[], unsaid: readonly string[] = []): Draft {
  if (marked.length === 0) return draft;
  const source = marked.reduce(
    (one, { name, values }) => withoutValues(one, name, [...unsaid, ...values.keys()]),
    draft.source,
  );
  return withRemark(withSource(draft, source), `${LEFT_OUT}sources of rows with ${marked.map(shownIn).join('; ')}.`);
}

const shownIn = ({ name, values }: Marked): string =>
  `${[...values].map(([value, count]) => `"${value}" (${count})`).join(', ')} in "${name}"`;
