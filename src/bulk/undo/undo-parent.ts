import type { KeptRow } from '../compare/keyed-rows.js';
import { rowReader } from '../compare/row-difference.js';
import { type Target, targetsOf } from '../compare/targets.js';
import { formOfField, normalValue, readingOf, type ValueForm } from '../compare/value-form.js';
import { columnsBefore } from '../read-back/line-columns.js';
import { cellsIn, left, NOTHING, type Undoing, type Undone } from './undoing.js';

/** The lines of one parent on the three sides. */
export interface ParentSides {
  readonly sent: readonly KeptRow[];
  readonly before: readonly KeptRow[];
  readonly present: readonly KeptRow[];
}

/** Says how to undo what an import in mode REPLACE did to one parent. */
export type ParentUndoer = (sides: ParentSides) => Undone;

/** Lines that a message names. */
const NAMED = 3;

/** The undoer of an import's parents: a BOM is put back as a whole, and only where it is as the import left it. */
export function parentUndoer({ sent: { columns }, definition }: Pick<Undoing, 'sent' | 'definition'>): ParentUndoer {
  const all = columnsBefore(columns, definition);
  const targets = targetsOf(all, definition.resource);
  const { after } = rowReader(targets, definition);
  const reading = readingOf(definition);
  const isSent = ({ column }: Target): boolean => column < columns.length;
  const deleting = (line: KeptRow): string[] => deletingCells(line, columns);

  return ({ sent, before, present }) => {
    const forms = targets.map((target, place) => formIn(present, place) ?? formOfField(target.field));
    // What the workspace does not show, and numbers that it gives lines by itself, tell nothing apart.
    const shown = targets.map((_, place) => !present.some(({ values }) => values[place] === null));
    const numbered = targets.map(({ field }) => field === 'linenumber');
    const asked = (target: Target, line: KeptRow): string =>
      (isSent(target) ? after(target, cellsIn(line)) : undefined) ?? (target.field === 'quantity' ? '1' : '');
    const fixed = targets.map(
      (target, place) => numbered[place] !== true || sent.every((line) => asked(target, line) !== ''),
    );
    const form = (place: number, text: string): string => normalValue(forms[place] as ValueForm, text, reading);

    const asSent = (line: KeptRow, text: (target: Target, place: number) => string): string =>
      textOf(
        line,
        targets.map((target, place) => (shown[place] && fixed[place] ? form(place, text(target, place)) : '')),
      );
    const asWhole = (line: KeptRow, text: (target: Target, place: number) => string): string =>
      textOf(
        line,
        targets.map((target, place) => (shown[place] ? form(place, text(target, place)) : '')),
      );
    const now = (line: KeptRow) => (_: Target, place: number) => line.values[place]?.[1] ?? '';
    const then = (line: KeptRow) => (target: Target) => cellsIn(line)[target.column] ?? '';
    const wanted = (line: KeptRow) => (target: Target) => asked(target, line);

    const isAsBefore = isSameList(
      present.map((line) => asWhole(line, now(line))),
      before.map((line) => asWhole(line, then(line))),
    );
    if (isAsBefore) return NOTHING;
    const others = differing(
      present.map((line) => ({ line, text: asSent(line, now(line)) })),
      sent.map((line) => ({ line, text: asSent(line, wanted(line)) })),
    );
    if (others.length > 0) return left(changedBom(others));
    return before.length === 0
      ? { rows: present.map((line) => ({ kind: 'delete', cells: deleting(line) })), left: [] }
      : { rows: before.map((line) => ({ kind: 'replace', cells: cellsIn(line) })), left: [] };
  };
}

const textOf = ({ key }: KeptRow, values: readonly string[]): string => JSON.stringify([key.slice(1), ...values]);

const formIn = (lines: readonly KeptRow[], place: number): ValueForm | undefined =>
  lines.map(({ values }) => values[place]?.[0]).find((form) => form !== undefined);

const isSameList = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());

interface Line {
  readonly line: KeptRow;
  readonly text: string;
}

/** The children of lines that one side has and the other has not. */
function differing(present: readonly Line[], sent: readonly Line[]): string[] {
  const counts = new Map<string, number>();
  for (const { text } of sent) counts.set(text, (counts.get(text) ?? 0) + 1);
  const more = present.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
  const fewer = sent.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count > 0;
  });
  return [...new Set([...more, ...fewer].map(({ line }) => line.key[1] ?? ''))];
}

function changedBom(children: readonly string[]): string {
  const named = children.slice(0, NAMED).join(', ');
  const more = children.length > NAMED ? ` and ${children.length - NAMED} more` : '';
  return `The BOM is not as the import left it (${named}${more}), so all of it stays as it is.`;
}

/** What names a line and nothing else. */
const deletingCells = ({ key }: KeptRow, columns: Undoing['sent']['columns']): string[] =>
  columns.map(({ fields }) =>
    fields.includes('number') ? (key[0] ?? '') : fields.includes('item.number') ? (key[1] ?? '') : '',
  );
