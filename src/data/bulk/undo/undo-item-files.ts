import type { KeptRow, KeptValue } from '../compare/keyed-rows.js';
import { rowReader } from '../compare/row-difference.js';
import { cellsIn } from '../compare/shared-cells.js';
import { type Target, targetsOf } from '../compare/targets.js';
import { cellReadingOptions, normalValue } from '../compare/value-form.js';
import { columnsBefore } from '../read-back/lost-columns.js';
import { keepAsIs, NOTHING, type UndoContext } from './undo-context.js';
import { firstOf, type ParentSides, type ParentUndoer, restoringRows } from './undo-parent.js';

/**
 * Creates the undoer of an import of item files in mode REPLACE. Restores the files of an item as a whole, only if they
 * are as the import left them. A file that a row created stays in the workspace: no such import deletes files.
 */
export function itemFilesUndoer({
  sent: { columns },
  definition,
}: Pick<UndoContext, 'sent' | 'definition'>): ParentUndoer {
  const all = columnsBefore(columns, definition);
  const targets = targetsOf(all, definition.resource);
  const { after } = rowReader(targets, definition);
  const reading = cellReadingOptions(definition);

  /** Whether a value is the requested one; also true if it is not shown, or if nothing was requested. */
  const agrees = (value: KeptValue | undefined, asked: string | undefined): boolean =>
    value === null ||
    value === undefined ||
    asked === undefined ||
    normalValue(value[0], value[1], reading) === normalValue(value[0], asked, reading);
  const askedBy = (target: Target, row: KeptRow | undefined): string | undefined =>
    row === undefined || target.column >= columns.length ? undefined : (after(target, cellsIn(row)) ?? undefined);
  const had = (target: Target, line: KeptRow | undefined): string | undefined =>
    line === undefined ? undefined : cellsIn(line)[target.column] || undefined;
  const isOfFile = ({ is }: Target): boolean => is !== undefined;

  const isAsSent = (line: KeptRow, row: KeptRow | undefined, prior: KeptRow | undefined): boolean =>
    targets.every(
      (target, place) => isOfFile(target) || agrees(line.values[place], askedBy(target, row) ?? had(target, prior)),
    );
  const isMadeBy = (line: KeptRow, row: KeptRow): boolean =>
    targets.every((target, place) => agrees(line.values[place], askedBy(target, row)));
  const isAsBefore = ({ before, present }: ParentSides): boolean => {
    const prior = byFile(before);
    return present.length === before.length && present.every((line) => isAsWas(line, prior.get(fileOf(line))));
  };
  const isAsWas = (line: KeptRow, prior: KeptRow | undefined): boolean =>
    prior !== undefined && isAsSent(line, undefined, prior);

  return (sides) => {
    const { sent, before, present } = sides;
    if (isAsBefore(sides)) return NOTHING;
    const named = byFile(sent.filter((row) => fileOf(row) !== ''));
    const [there, prior] = [byFile(present), byFile(before)];
    const made = madeBy(
      sent.filter((row) => fileOf(row) === ''),
      present.filter((line) => !named.has(fileOf(line)) && !prior.has(fileOf(line))),
      isMadeBy,
    );
    const others = [
      ...present.filter((line) => !named.has(fileOf(line)) && !made.files.includes(fileOf(line))).map(fileOf),
      ...[...named.keys()].filter((file) => !there.has(file)),
      ...present
        .filter((line) => named.has(fileOf(line)))
        .filter((line) => !isAsSent(line, named.get(fileOf(line)), prior.get(fileOf(line))))
        .map(fileOf),
    ];
    if (others.length > 0 || made.missing > 0) return keepAsIs(changedFiles([...new Set(others)]));
    const rows = restoringRows(sides, columns, definition);
    return { rows, left: made.files.length === 0 ? [] : [{ why: filesStay(made.files) }] };
  };
}

const fileOf = ({ key }: KeptRow): string => key[1] ?? '';

const byFile = (lines: readonly KeptRow[]): ReadonlyMap<string, KeptRow> =>
  new Map(lines.map((line) => [fileOf(line), line]));

/** Finds the files that were created by rows without a file number, and counts such rows whose file is missing. */
function madeBy(
  rows: readonly KeptRow[],
  others: readonly KeptRow[],
  isMadeBy: (line: KeptRow, row: KeptRow) => boolean,
): { readonly files: readonly string[]; readonly missing: number } {
  const free = [...others];
  const files = rows.flatMap((row) => {
    const place = free.findIndex((line) => isMadeBy(line, row));
    return place < 0 ? [] : free.splice(place, 1).map(fileOf);
  });
  return { files, missing: rows.length - files.length };
}

const changedFiles = (files: readonly string[]): string =>
  `The files of the item are not as the import left them${files.length === 0 ? '' : ` (${firstOf(files)})`}, so all of them stay as they are.`;

const filesStay = (files: readonly string[]): string =>
  files.length === 1
    ? `The import made the file ${firstOf(files)}, which leaves the item and stays in the workspace.`
    : `The import made ${files.length} files (${firstOf(files)}), which leave the item and stay in the workspace.`;
