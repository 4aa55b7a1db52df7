import { type FileRecord, files } from '../../families/files.js';
import { type ItemFileRecord, itemFiles } from '../../families/item-files.js';
import { recordTable } from '../../family/record-table.js';
import type { ItemName } from '../../store/item-draft.js';
import { RecordDraft } from '../../store/record-draft.js';
import { refuse, ServiceError } from '../service-error.js';
import type { FileContents } from './file-contents.js';
import { fileCells, newFile } from './file-fields.js';
import { duplicate, findOwners, type ImportContext } from './import-context.js';
import { filesNamed, noFile } from './import-file.js';
import type { Importer } from './importer.js';
import { ItemsByName } from './items-by-name.js';
import { type ImportRow, parseRowValues } from './read-row.js';

const ATTRIBUTES = ['primary', 'latestEditionAssociation'];

/**
 * Imports the rows of an ITEM_FILES run (wire-facts 4, "ITEM_FILES semantics"). A row that names a file, by `file.guid`
 * or `file.number`, changes only its association with the item; the other `file.` cells are not read. Any other row
 * creates a file and associates it. REPLACE makes the rows all files of their item; DELETE removes associations only.
 */
export class ItemFileImport implements Importer {
  readonly #context: ImportContext;
  readonly #items: ItemsByName;
  readonly #contents: FileContents;
  readonly #files: RecordDraft<FileRecord>;
  readonly #associations: RecordDraft<ItemFileRecord>;
  readonly #emptied = new Set<string>();
  #emptiedByRow: string[] = [];
  #lastNumber: number | undefined;

  constructor(context: ImportContext, contents: FileContents) {
    this.#context = context;
    this.#items = new ItemsByName(context.items);
    this.#contents = contents;
    this.#files = new RecordDraft(context.data, recordTable(files));
    this.#associations = new RecordDraft(context.data, recordTable(itemFiles));
  }

  apply(row: ImportRow): void {
    this.#contents.startRow();
    this.#emptiedByRow = [];
    const items = findOwners(row, this.#context, this.#items);
    const file = this.#fileNamed(row);
    for (const item of items) this.#applyTo(item, file, row);
  }

  undoRow(): void {
    this.#contents.undoRow();
    for (const item of this.#emptiedByRow) this.#emptied.delete(item);
  }

  merge(): void {
    this.#files.merge();
    this.#associations.merge();
  }

  readonly find = (guid: string): FileRecord | undefined => this.#files.byGuid(guid);

  #applyTo(item: ItemName, file: FileRecord | undefined, row: ImportRow): void {
    const { mode } = this.#context;
    if (mode === 'REPLACE') this.#emptyOnce(item);
    switch (mode) {
      case 'CREATE':
        this.#associate(item, file ?? this.#create(row), row);
        break;
      case 'REPLACE':
        if (file) this.#keep(item, file, row);
        else this.#associate(item, this.#create(row), row);
        break;
      case 'OVERWRITE':
        if (file) this.#edit(item, file, row);
        else this.#associate(item, this.#create(row), row);
        break;
      case 'EDIT':
        this.#edit(item, required(file), row);
        break;
      case 'DELETE':
        this.#remove(item, required(file));
        break;
      default:
        mode satisfies never;
    }
  }

  #fileNamed(row: ImportRow): FileRecord | undefined {
    const guid = row.texts.get('file.guid');
    const number = row.texts.get('file.number');
    if (guid === undefined && number === undefined) return undefined;
    const [file, ...others] = filesNamed(this.#files, guid, number);
    if (!file) throw noFile(number ?? '');
    if (others.length > 0) throw duplicate(`${others.length + 1} files have the number "${number}".`);
    return file;
  }

  #create(row: ImportRow): FileRecord {
    const cells = fileCells(row, 'file.', this.#context);
    const file = newFile(cells, this.#nextNumber(), this.#context, this.#contents);
    this.#files.put(file);
    return file;
  }

  /** Returns the next number of the service, for a file that comes without one. The form is ours. */
  #nextNumber(): string {
    let position = this.#lastNumber ?? Number(this.#context.data.get('SELECT count(*) AS n FROM main.files')?.n ?? 0);
    let number: string;
    do {
      position += 1;
      number = `F-${String(position).padStart(6, '0')}`;
    } while (this.#files.find({ number }).length > 0);
    this.#lastNumber = position;
    return number;
  }

  #associate(item: ItemName, file: FileRecord, row: ImportRow): void {
    if (this.#between(item, file)) {
      throw duplicate(`The file "${file.number}" belongs to the item "${item.number}" already.`);
    }
    const blank = { guid: this.#context.chance.guid(), item: item.guid, file: file.guid };
    this.#associations.put(this.#filled({ ...blank, fields: { primary: false, latestEditionAssociation: true } }, row));
  }

  #edit(item: ItemName, file: FileRecord, row: ImportRow): void {
    this.#associations.put(this.#filled(this.#existing(item, file), row));
  }

  #remove(item: ItemName, file: FileRecord): void {
    this.#associations.remove(this.#existing(item, file));
  }

  /** Restores an association that the item had before its rows, or creates a new one. */
  #keep(item: ItemName, file: FileRecord, row: ImportRow): void {
    const [former] = this.#associations.findRemoved({ item: item.guid, file: file.guid });
    if (former === undefined || this.#between(item, file)) this.#associate(item, file, row);
    else this.#associations.put(this.#filled(former, row));
  }

  #emptyOnce(item: ItemName): void {
    if (this.#emptied.has(item.guid)) return;
    for (const association of this.#associations.find({ item: item.guid })) this.#associations.remove(association);
    this.#emptied.add(item.guid);
    this.#emptiedByRow.push(item.guid);
  }

  #between(item: ItemName, file: FileRecord): ItemFileRecord | undefined {
    return this.#associations.find({ item: item.guid, file: file.guid })[0];
  }

  #existing(item: ItemName, file: FileRecord): ItemFileRecord {
    const association = this.#between(item, file);
    if (association) return association;
    const message = `The file "${file.number}" does not belong to the item "${item.number}".`;
    throw new ServiceError({ code: 3012, message });
  }

  #filled(association: ItemFileRecord, row: ImportRow): ItemFileRecord {
    const fields: Record<string, unknown> = { ...association.fields };
    for (const [key, value] of parseRowValues(row, this.#context.options))
      if (ATTRIBUTES.includes(key)) fields[key] = value;
    for (const key of row.removed) if (ATTRIBUTES.includes(key)) fields[key] = false;
    return { ...association, fields };
  }
}

function required(file: FileRecord | undefined): FileRecord {
  if (file === undefined) throw refuse.required('file.number');
  return file;
}
