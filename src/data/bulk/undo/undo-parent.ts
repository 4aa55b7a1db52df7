import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { recordFinder } from '../compare/find-records.js';
import type { KeptRow } from '../compare/keyed-rows.js';
import { rowReader } from '../compare/row-difference.js';
import { cellsIn } from '../compare/shared-cells.js';
import { type Target, targetsOf } from '../compare/targets.js';
import { cellReadingOptions, formOfField, normalValue, type ValueForm } from '../compare/value-form.js';
import type { Column } from '../preflight/columns.js';
import { columnsBefore } from '../read-back/lost-columns.js';
import { keepAsIs, NOTHING, namingCells, type UndoContext, type UndoResult, type UndoRow } from './undo-context.js';

/** The lines of one parent on the three sides. */
export interface ParentSides {
  readonly sent: readonly KeptRow[];
  readonly before: readonly KeptRow[];
  readonly present: readonly KeptRow[];
}

/** Decides how to undo what an import in mode REPLACE did to one parent. */
export type ParentUndoer = (sides: ParentSides) => UndoResult;

/** Maximum number of names in a message. */
const NAMED = 3;

/** Creates the undoer of an import's parents: restores a BOM as a whole, and only if it is as the import left it. */
export function parentUndoer({
  sent: { columns },
  definition,
}: Pick<UndoContext, 'sent' | 'definition'>): ParentUndoer {
  const all = columnsBefore(columns, definition);
  const targets = targetsOf(all, definition.resource);
  const { after } = rowReader(targets, definition);
  const reading = cellReadingOptions(definition);
  const isSent = ({ column }: Target): boolean => column < columns.length;

  return ({ sent, before, present }) => {
    const forms = targets.map((target, place) => formIn(present, place) ?? formOfField(target.field));
    // Values that the workspace does not show, and line numbers that it assigns itself, are not compared.
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
    if (others.length > 0) return keepAsIs(changedBom(others));
    return { rows: restoringRows({ sent, before, present }, columns, definition), left: [] };
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

/** Children of the lines that only one of the two sides has. */
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

const changedBom = (children: readonly string[]): string =>
  `The BOM is not as the import left it (${firstOf(children)}), so all of it stays as it is.`;

/** Lists the first of several names, and the number of others. */
export function firstOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${names.slice(0, NAMED).join(', ')}${more}`;
}

/** Rows that restore a parent: they replace it as a whole, or delete its lines if it had none. */
export function restoringRows(
  { sent, before, present }: ParentSides,
  columns: readonly Column[],
  definition: ImportDefinitionSpec,
): UndoRow[] {
  if (before.length > 0) return before.map((line) => ({ kind: 'replace', cells: cellsIn(line) }));
  const resource = resourceNamed(definition.resource);
  const { identity } = recordFinder(columns, definition);
  const guid = sent.map((line) => identity(cellsIn(line)).guid)[0] ?? '';
  return present.flatMap(({ key }) => {
    const cells = namingCells({ key, guid }, columns, resource);
    return cells === undefined ? [] : [{ kind: 'delete', cells }];
  });
}
