import { type FileRecord, files, firstEdition, isLatest } from '../../families/files.js';
import { itemFiles } from '../../families/item-files.js';
import { recordTable } from '../../family/record-table.js';
import { RecordDraft } from '../../store/record-draft.js';
import { refuse, ServiceError } from '../service-error.js';
import type { FileContents } from './file-contents.js';
import { editedFile, fileCells, isNewEdition, newFile } from './file-fields.js';
import { duplicate, type ImportContext } from './import-context.js';
import type { Importer } from './importer.js';
import type { ImportRow } from './read-row.js';

const NOT_DELETABLE = 3016;

/** Imports files of a FILE_SUMMARY run by `guid`, which has priority, or `number` (wire-facts 4, "Key attributes"). */
export class FileImport implements Importer {
  readonly #context: ImportContext;
  readonly #contents: FileContents;
  readonly #files: RecordDraft<FileRecord>;
  readonly #itemFiles;

  constructor(context: ImportContext, contents: FileContents) {
    this.#context = context;
    this.#contents = contents;
    this.#files = new RecordDraft(context.data, recordTable(files));
    this.#itemFiles = new RecordDraft(context.data, recordTable(itemFiles));
  }

  apply(row: ImportRow): void {
    this.#contents.startRow();
    const { mode } = this.#context;
    const matches = filesNamed(this.#files, row.texts.get('guid'), row.texts.get('number'));
    if (mode === 'CREATE' || (mode === 'OVERWRITE' && matches.length === 0)) this.#create(row, matches.length);
    else this.#change(matches, row);
  }

  undoRow(): void {
    this.#contents.undoRow();
  }

  merge(): void {
    this.#files.merge();
  }

  readonly find = (guid: string): FileRecord | undefined => this.#files.byGuid(guid);

  #create(row: ImportRow, existing: number): void {
    const number = row.texts.get('number');
    if (number === undefined) throw refuse.required('number');
    if (existing > 0 && this.#context.options.createDuplicates !== 'ALLOW') {
      throw duplicate(`A file with the number "${number}" exists already.`);
    }
    this.#files.put(newFile(fileCells(row, '', this.#context), number, this.#context, this.#contents));
  }

  #change(matches: readonly FileRecord[], row: ImportRow): void {
    const number = row.texts.get('number') ?? '';
    if (matches.length === 0) throw noFile(number);
    if (matches.length > 1 && this.#context.options.matchDuplicates !== 'APPLY_TO_ALL') {
      throw duplicate(`${matches.length} files have the number "${number}", and matchDuplicates is ERROR.`);
    }
    for (const file of matches) {
      if (this.#context.mode === 'DELETE') this.#remove(file);
      else this.#edit(file, row);
    }
  }

  #edit(file: FileRecord, row: ImportRow): void {
    const edited = editedFile(file, fileCells(row, '', this.#context), this.#context, this.#contents);
    if (edited.number !== file.number && this.#files.find({ number: edited.number }).length > 0) {
      throw duplicate(`A file with the number "${edited.number}" exists already.`);
    }
    this.#files.put(edited);
    if (edited.number !== file.number) {
      for (const edition of this.#editionsOf(file)) this.#files.put({ ...edition, number: edited.number });
    }
    if (isNewEdition(file, edited, this.#context))
      this.#files.put(earlierEdition({ ...file, number: edited.number }, this.#context));
  }

  #remove(file: FileRecord): void {
    if (this.#itemFiles.find({ file: file.guid }).length > 0) {
      const message = `The file "${file.number}" belongs to an item and cannot be deleted.`;
      throw new ServiceError({ code: NOT_DELETABLE, message });
    }
    for (const edition of this.#editionsOf(file)) this.#files.remove(edition);
  }

  /** The editions of a file, which all have its number. */
  #editionsOf(file: FileRecord): readonly FileRecord[] {
    return this.#files.find({ number: file.number }).filter((one) => firstEdition(one) === firstEdition(file));
  }
}

/** The edition before a new one, under a GUID of its own: the file keeps its GUID for the latest. */
const earlierEdition = (file: FileRecord, { chance }: ImportContext): FileRecord => ({
  ...file,
  guid: chance.guid(),
  fields: { ...file.fields, latest: false, editionOf: firstEdition(file) },
});

/** Finds the files that a row names by GUID, which has priority, or the latest editions with its number. */
export function filesNamed(
  files: RecordDraft<FileRecord>,
  guid: string | undefined,
  number: string | undefined,
): FileRecord[] {
  if (guid === undefined) return number === undefined ? [] : files.find({ number }).filter(isLatest);
  const file = files.byGuid(guid.toUpperCase());
  if (!file) throw refuse.guid(guid);
  return [file];
}

/** Builds the refusal with 3012 of a number that no file has, or with 3001 of a row without a file. */
export function noFile(number: string): ServiceError {
  if (number === '') return refuse.required('number');
  return new ServiceError({ code: 3012, message: `There is no file with the number "${number}".` });
}
