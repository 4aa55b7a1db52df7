import { KeyIndex, keyOf } from '../rows/key-index.js';
import type { Column, Roles } from './column-roles.js';
import { type Draft, withoutField, withRemark } from './draft.js';
import type { KnownTable } from './known-table.js';
import { sourceColumns } from './maker-columns.js';
import { eachRowCells } from './row-cells.js';
import { rowsText } from './rows-text.js';

/** Rows that have only a maker and its number: they belong to the part above them. */
export async function rowsBelowParts(
  path: string,
  { source, columns, roles }: Pick<KnownTable, 'source' | 'columns' | 'roles'>,
): Promise<readonly number[]> {
  const makers = sourceColumns(columns, roles);
  const key = roles.get('number') ?? roles.get('refDes');
  const others = columns.filter((column) => column.filled > 0 && !makers.includes(column));
  if (key === undefined || makers.length === 0 || source.fillDown !== undefined) return [];
  const names = [key, ...others, ...makers].map(({ name }) => name);
  const found: number[] = [];
  let keyless = 0;
  let isFirst = true;
  await eachRowCells(path, source, names, ([number = '', ...cells], row) => {
    const isMaker = cells.slice(0, others.length).every((cell) => cell === '') && cells.some((cell) => cell !== '');
    if (number === '' && isMaker && !isFirst) found.push(row);
    else if (number === '') keyless += 1;
    isFirst = false;
  });
  // The maker of a row without a number would become one of the part above it.
  return keyless === 0 ? found : [];
}

/** What the rows of a BOM repeat. */
interface Repetitions {
  /** Rows that name another maker of an earlier line. */
  readonly makers: number[];
  /** Those of them without designators. */
  readonly bare: number[];
  /** Rows that are equal to an earlier one in all these columns. */
  readonly equal: number[];
  /** Fields in which rows of one part differ, besides quantity and designators. */
  readonly unlike: Map<string, number[]>;
}

const OTHERS = ['lineNumber', 'notes'];

/** Counts the lines of a BOM once that a list repeats for each maker of their part. */
export async function onceForMakers(
  path: string,
  draft: Draft,
  columns: readonly Column[],
  roles: Roles,
): Promise<Draft> {
  const named = sourceColumns(columns, roles);
  if (draft.kind !== 'BOM' || named.length === 0) return draft;
  const { makers, bare, equal, unlike } = await repetitionsIn(path, draft, named);
  if (makers.length === 0) return draft;
  const lean = [...unlike].reduce<Draft>(
    (one, [field, rows]) => withoutField(one, field, `Rows of one part differ in it (${rowsText(rows)}).`),
    draft,
  );
  const says = `a line that is repeated for each maker of its part counts once (\`repeated: once\`): ${rowsText(makers)}.`;
  // Designators prove that it is the same line.
  const remark = bare.length === 0 ? says : `Open: ${says} If they are further pieces, write \`repeated: sum\`.`;
  const once = withRemark({ ...lean, repeated: 'once' as const }, remark.replace(/^a/, 'A'));
  return equal.length === 0
    ? once
    : withRemark(once, `Open: ${rowsText(equal)}: equal to an earlier row, and counted once.`);
}

async function repetitionsIn(path: string, { source, mapping }: Draft, makers: readonly Column[]) {
  const found: Repetitions = { makers: [], bare: [], equal: [], unlike: new Map() };
  const fields = ['number', 'item.number', 'quantity', 'refDes', ...OTHERS];
  const names = [...fields.map((field) => mapping.get(field) ?? ''), ...makers.map(({ name }) => name)];
  const [lines, whole] = [new KeyIndex(), new KeyIndex()];
  const noteUnlike = unlikeFields(found.unlike);
  await eachRowCells(path, source, names, (cells, row) => {
    const [line, others] = [cells.slice(0, 4), cells.slice(4, fields.length)];
    noteUnlike(keyOf(line.slice(0, 2)), others, row);
    const isBare = line.at(-1) === '';
    const isRepeated = lines.firstRow(keyOf(isBare ? [...line, ...others] : line), row) !== undefined;
    const isEqual = whole.firstRow(keyOf([...line, ...cells.slice(fields.length)]), row) !== undefined;
    if (!isRepeated) return;
    (isEqual ? found.equal : found.makers).push(row);
    if (!isEqual && isBare) found.bare.push(row);
  });
  return found;
}

/** Collects the rows that differ from the first one of their part, by field. */
function unlikeFields(unlike: Map<string, number[]>) {
  const [parts, cells] = [new KeyIndex(), new KeyIndex()];
  return (part: string, others: readonly string[], row: number): void => {
    const first = parts.firstRow(part, row) ?? row;
    for (const [at, field] of OTHERS.entries()) {
      const same = cells.firstRow(keyOf([field, part, others[at] ?? '']), row) ?? row;
      if (same !== first) unlike.set(field, [...(unlike.get(field) ?? []), row]);
    }
  };
}
