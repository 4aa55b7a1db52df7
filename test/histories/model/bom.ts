/** A row of a list of lines: an item in the BOM of another one. */
export interface Line {
  readonly Assembly: string;
  readonly Part: string;
  readonly Qty: string;
}

/** The BOMs of a workspace: quantities by assembly and part. */
export type Lines = ReadonlyMap<string, string>;

/** `REPLACE` makes the rows the whole BOM of their assemblies. */
export type LinesMode = 'REPLACE' | 'OVERWRITE';

/** Rows that were committed, and the lines that there were before. */
export interface SentLines {
  readonly mode: LinesMode;
  readonly rows: readonly Line[];
  readonly before: Lines;
}

export const keyOf = ({ Assembly, Part }: Omit<Line, 'Qty'>): string => `${Assembly} ${Part}`;

export const lineAt = (key: string): Omit<Line, 'Qty'> => {
  const [Assembly = '', Part = ''] = key.split(' ');
  return { Assembly, Part };
};

export const isInBom = (lines: Lines, number: string): boolean =>
  [...lines.keys()].some((key) => lineAt(key).Part === number);

/** The lines without those of assemblies, which go with them. */
export const withoutBoms = (lines: Lines, assemblies: readonly string[]): Lines =>
  new Map([...lines].filter(([key]) => !assemblies.includes(lineAt(key).Assembly)));

/** The lines once rows are sent, which come one after the other; undefined where an item would be a part of itself meanwhile. */
export function withRows(lines: Lines, mode: LinesMode, rows: readonly Line[]): Lines | undefined {
  let now = new Map(lines);
  for (const [index, row] of rows.entries()) {
    const isFirst = rows.findIndex(({ Assembly }) => Assembly === row.Assembly) === index;
    if (mode === 'REPLACE' && isFirst) now = new Map(withoutBoms(now, [row.Assembly]));
    now.set(keyOf(row), row.Qty);
    if (contains(now, row.Part, row.Assembly)) return undefined;
  }
  return now;
}

const contains = (lines: Lines, assembly: string, number: string): boolean =>
  [...lines.keys()].map(lineAt).some((one) => {
    return one.Assembly === assembly && (one.Part === number || contains(lines, one.Part, number));
  });

/** What an undo of lines sends, what it leaves since somebody changed it later, and what there is afterwards. */
export interface UndoOfLines {
  readonly deletes: readonly string[];
  readonly back: readonly Line[];
  readonly left: readonly string[];
  readonly lines: Lines;
}

/** A BOM that was replaced is put back as a whole, the last one first, other lines one by one: where they still are as they were sent. */
export function undoOfLines(lines: Lines, { mode, rows, before }: SentLines): UndoOfLines {
  const undo = { deletes: [] as string[], back: [] as Line[], left: [] as string[] };
  const sent = new Map(rows.map((row) => [keyOf(row), row.Qty]));
  const after = new Map(lines);
  const units = [...new Set(rows.map((row) => (mode === 'REPLACE' ? row.Assembly : keyOf(row))))];
  for (const unit of units.reverse()) {
    const [now, was, asked] = [lines, before, sent].map((one) => linesIn(one, unit)) as [Lines, Lines, Lines];
    if (isSame(now, was)) continue;
    if (!isSame(now, asked)) undo.left.push(unit);
    else {
      for (const key of now.keys()) after.delete(key);
      for (const [key, Qty] of was) after.set(key, Qty);
      undo.back.push(...[...was].map(([key, Qty]) => ({ ...lineAt(key), Qty })));
      if (was.size === 0) undo.deletes.push(...now.keys());
    }
  }
  return { ...undo, lines: after };
}

/** The lines of an assembly, or the one line of an assembly and a part. */
const linesIn = (lines: Lines, unit: string): Lines =>
  new Map([...lines].filter(([key]) => key === unit || lineAt(key).Assembly === unit));

const isSame = (some: Lines, others: Lines): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());
