import { joinKey, KeyIndex } from '../rows/key-index.js';
import type { Column, Roles } from './column.js';
import { type Draft, whereFilled, withoutField, withRemark } from './draft.js';
import type { KnownTable } from './known-table.js';
import { sourceColumns } from './maker-columns.js';
import type { Meaning } from './meanings.js';
import { eachRowCells } from './row-cells.js';
import { rowsText } from './rows-text.js';

/** What a row says about a part; other columns, such as a status, may be those of the maker. */
const OF_PART: readonly Meaning[] = [
  ...(['number', 'name', 'description', 'value', 'package', 'quantity', 'refDes', 'uom'] as const),
  ...(['level', 'path', 'parent', 'lineNumber'] as const),
];

/** Rows that have only a maker and its number: they belong to the part above them. */
export async function rowsBelowParts(
  path: string,
  { source, columns, roles }: Pick<KnownTable, 'source' | 'columns' | 'roles'>,
): Promise<readonly number[]> {
  const makers = sourceColumns(columns, roles);
  const key = roles.get('number') ?? roles.get('refDes');
  const others = OF_PART.flatMap((role) => roles.get(role) ?? []);
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
  /** Rows that name another maker of an earlier line, with a number of their own in the list. */
  readonly numbered: number[];
  /** Rows of an earlier part without quantity and designators, and whether other rows lack a quantity too. */
  readonly empty: number[];
  lacking: 'none' | 'some';
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
  const found = await repetitionsIn(path, draft, named);
  const numbered = `Open: ${rowsText(found.numbered)} repeat a line for another maker of its part, and are further pieces, since they have line numbers of their own. If they are not, leave the line numbers out and write \`repeated: once\`.`;
  const lines = withoutEmpty(found.numbered.length === 0 ? draft : withRemark(draft, numbered), found);
  return found.makers.length === 0 ? lines : countedOnce(lines, found);
}

/** Leaves out the rows that say nothing about a line but that its part has a further maker. */
function withoutEmpty(draft: Draft, { empty, lacking }: Repetitions): Draft {
  const quantity = draft.mapping.get('quantity');
  if (quantity === undefined || empty.length === 0 || lacking === 'some') return draft;
  const remarks = draft.remarks.filter((remark) => !/^Open: .* no quantity in /.test(remark));
  return withRemark(
    whereFilled({ ...draft, remarks }, quantity),
    `Rows without a quantity have further makers of a part above them, and are no lines: ${rowsText(empty)}.`,
  );
}

function countedOnce(draft: Draft, { makers, bare, equal, unlike }: Repetitions): Draft {
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
  const found: Repetitions = {
    ...{ makers: [], bare: [], equal: [], unlike: new Map(), numbered: [], empty: [], lacking: 'none' },
  };
  const fields = ['number', 'item.number', 'quantity', 'refDes', ...OTHERS];
  const names = [...fields.map((field) => mapping.get(field) ?? ''), ...makers.map(({ name }) => name)];
  const [parts, pieces, lines, whole] = [new KeyIndex(), new KeyIndex(), new KeyIndex(), new KeyIndex()];
  const noteUnlike = unlikeFields(found.unlike);
  await eachRowCells(path, source, names, (cells, row) => {
    const [line, others] = [cells.slice(0, 4), cells.slice(4, fields.length)];
    const part = joinKey(line.slice(0, 2));
    const isKnown = parts.firstRow(part, row) !== undefined;
    const isBare = line[3] === '';
    if (line[2] === '') {
      if (isKnown && isBare) found.empty.push(row);
      else found.lacking = 'some';
      return;
    }
    noteUnlike(part, others, row);
    const isRepeated = lines.firstRow(joinKey(isBare ? [...line, ...others] : line), row) !== undefined;
    const isEqual = whole.firstRow(joinKey([...line, ...cells.slice(fields.length)]), row) !== undefined;
    const isPieces = pieces.firstRow(joinKey(line), row) !== undefined;
    if (isRepeated) (isEqual ? found.equal : found.makers).push(row);
    if (isRepeated && !isEqual && isBare) found.bare.push(row);
    if (isPieces && !isRepeated && !isEqual) found.numbered.push(row);
  });
  return found;
}

/** Collects the rows that differ from the first one of their part, by field. */
function unlikeFields(unlike: Map<string, number[]>) {
  const [parts, cells] = [new KeyIndex(), new KeyIndex()];
  return (part: string, others: readonly string[], row: number): void => {
    const first = parts.firstRow(part, row) ?? row;
    for (const [at, field] of OTHERS.entries()) {
      const same = cells.firstRow(joinKey([field, part, others[at] ?? '']), row) ?? row;
      if (same !== first) unlike.set(field, [...(unlike.get(field) ?? []), row]);
    }
  };
}
