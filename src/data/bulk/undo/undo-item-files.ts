import type { KeptRow, KeptValue } from '../compare/keyed-rows.js';
import { cellsIn } from '../compare/shared-cells.js';
import { keepAsIs, NOTHING, type UndoResult } from './undo-context.js';
import { listFirst, type ParentSides, ParentUndoer } from './undo-parent.js';

/**
 * Restores the files of an item as a whole, only if they are as an import in mode REPLACE left them. A file that a row
 * created stays in the workspace: no such import deletes files.
 */
export class ItemFilesUndoer extends ParentUndoer {
  undo(sides: ParentSides): UndoResult {
    if (this.#isAsBefore(sides)) return NOTHING;
    const named = byFile(sides.sent.filter((row) => fileOf(row) !== ''));
    const made = this.#filesMade(sides, named);
    const changed = this.#filesChanged(sides, named, made.files);
    if (changed.length > 0 || made.missing > 0) return keepAsIs(changedFiles(changed));
    const rows = this.restoringRows(sides);
    return { rows, left: made.files.length === 0 ? [] : [{ why: filesStay(made.files) }] };
  }

  #isAsBefore({ before, present }: ParentSides): boolean {
    const prior = byFile(before);
    const isAsItWas = (line: KeptRow): boolean =>
      prior.has(fileOf(line)) && this.#isAsSent(line, undefined, prior.get(fileOf(line)));
    return present.length === before.length && present.every(isAsItWas);
  }

  /** Finds the files that were created by rows without a file number, and counts such rows whose file is missing. */
  #filesMade({ sent, before, present }: ParentSides, named: FileLines) {
    const prior = byFile(before);
    const free = present.filter((line) => !named.has(fileOf(line)) && !prior.has(fileOf(line)));
    const rows = sent.filter((row) => fileOf(row) === '');
    const files = rows.flatMap((row) => {
      const place = free.findIndex((line) => this.#isMadeBy(line, row));
      return place < 0 ? [] : free.splice(place, 1).map(fileOf);
    });
    return { files, missing: rows.length - files.length };
  }

  /** Files that the import did not leave there, files that are missing, and files with other values. */
  #filesChanged({ before, present }: ParentSides, named: FileLines, made: readonly string[]): string[] {
    const [there, prior] = [byFile(present), byFile(before)];
    const isOther = (file: string): boolean => !named.has(file) && !made.includes(file);
    const isEdited = (line: KeptRow): boolean => {
      const row = named.get(fileOf(line));
      return row !== undefined && !this.#isAsSent(line, row, prior.get(fileOf(line)));
    };
    const others = present.map(fileOf).filter(isOther);
    const missing = [...named.keys()].filter((file) => !there.has(file));
    return [...new Set([...others, ...missing, ...present.filter(isEdited).map(fileOf)])];
  }

  /** Rows with a file number do not change the file itself. */
  #isAsSent(line: KeptRow, row: KeptRow | undefined, prior: KeptRow | undefined): boolean {
    return this.targets.every((target, place) => {
      const before = prior === undefined ? undefined : cellsIn(prior)[target.column] || undefined;
      return target.is !== undefined || this.#agrees(line.values[place], (row && this.asked(row, target)) ?? before);
    });
  }

  #isMadeBy(line: KeptRow, row: KeptRow): boolean {
    return this.targets.every((target, place) => this.#agrees(line.values[place], this.asked(row, target)));
  }

  /** Whether a value is the requested one; also true if it is not shown, or if nothing was requested. */
  #agrees(value: KeptValue | undefined, asked: string | undefined): boolean {
    if (value === null || value === undefined || asked === undefined) return true;
    return this.reader.isSame(value[0], value[1], asked);
  }
}

/** Lines by the numbers of their files. */
type FileLines = ReadonlyMap<string, KeptRow>;

const fileOf = ({ key }: KeptRow): string => key[1] ?? '';

const byFile = (lines: readonly KeptRow[]): FileLines => new Map(lines.map((line) => [fileOf(line), line]));

const changedFiles = (files: readonly string[]): string =>
  `The files of the item are not as the import left them${files.length === 0 ? '' : ` (${listFirst(files)})`}, so all of them stay as they are.`;

const filesStay = (files: readonly string[]): string =>
  files.length === 1
    ? `The import made the file ${listFirst(files)}, which leaves the item and stays in the workspace.`
    : `The import made ${files.length} files (${listFirst(files)}), which leave the item and stay in the workspace.`;
