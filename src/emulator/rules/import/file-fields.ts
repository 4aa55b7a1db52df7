import type { FileRecord } from '../../families/files.js';
import type { FieldValue } from '../../store/items.js';
import { isGuid } from '../guid-source.js';
import { refuse, ServiceError } from '../service-error.js';
import type { FileContents } from './file-contents.js';
import type { ImportContext } from './import-context.js';
import { type ImportRow, parseRowValues } from './read-row.js';
import { requiredError } from './values.js';

/** The cells of a row for a file, by the file's own fields; custom attributes by GUID. */
export interface FileCells {
  readonly prefix: FilePrefix;
  readonly values: ReadonlyMap<string, FieldValue>;
  readonly removed: ReadonlySet<string>;
}

/** The prefix of a file's fields in the rows of a resource: `''`, or `file.` if the row also has an item. */
export type FilePrefix = '' | 'file.';

/** Returns the cells of a row's file, without the prefix; leaves out those of the item. */
export function fileCells(row: ImportRow, prefix: FilePrefix, { options }: ImportContext): FileCells {
  const own = (key: string): string | undefined => {
    if (isGuid(key)) return key;
    return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
  };
  const values = new Map<string, FieldValue>();
  for (const [key, value] of parseRowValues(row, options)) {
    const field = own(key);
    if (field !== undefined) values.set(field, value);
  }
  return { prefix, values, removed: new Set([...row.removed].flatMap((key) => own(key) ?? [])) };
}

/** Creates a file from a row. It needs a title and the required attributes; its content is optional. */
export function newFile(
  { prefix, values }: FileCells,
  number: string,
  context: ImportContext,
  contents: FileContents,
): FileRecord {
  const { chance, at, by, surroundings } = context;
  if (values.has('guid')) {
    throw new ServiceError({ code: 3031, message: 'A new file gets its GUID from the service; leave the cell empty.' });
  }
  if (!values.has('title')) throw refuse.required(`${prefix}title`);
  const blank: FileRecord = {
    guid: chance.guid(),
    number,
    title: '',
    name: null,
    category: surroundings.defaultCategory,
    fields: { edition: '1', storageMethodName: 'FILE', private: false },
    additional: {},
    content: null,
    size: null,
    creationDateTime: at,
    creator: by,
    lastModifiedDateTime: null,
  };
  const file = withContent(withValues(blank, values, context), values, contents);
  checkOwn(file, context);
  return file;
}

/**
 * Returns a file as changed by a row. Content that comes with the row replaces the old one; with the option
 * `fileEdition: CREATE_EDITION` it creates the next edition (wire-facts 4), unless the row names one.
 */
export function editedFile(
  file: FileRecord,
  { values, removed }: FileCells,
  context: ImportContext,
  contents: FileContents,
): FileRecord {
  for (const key of ['number', 'title']) if (removed.has(key)) throw refuse.required(key);
  const missing = context.required.find((target) => removed.has(target.key));
  if (missing) throw requiredError(missing);
  const edited = withValues(without(file, removed, context), values, context);
  const filled = withContent(edited, values, contents);
  checkOwn(filled, context);
  const counted = isNewEdition(file, filled, context) && !values.has('edition');
  const fields = counted ? { ...filled.fields, edition: nextEdition(filled.fields.edition) } : filled.fields;
  return { ...filled, fields, lastModifiedDateTime: context.at };
}

/** Whether content that replaces another one makes an edition. */
export const isNewEdition = (before: FileRecord, after: FileRecord, { options }: ImportContext): boolean =>
  before.content !== null && before.content !== after.content && options.fileEdition === 'CREATE_EDITION';

const PLAIN = new Set(['number', 'title', 'name']);

function withValues(file: FileRecord, values: FileCells['values'], context: ImportContext): FileRecord {
  const direct: Record<string, FieldValue> = {};
  const fields: Record<string, FieldValue> = { ...file.fields };
  const additional: Record<string, FieldValue> = { ...file.additional };
  for (const [key, value] of values) {
    if (key.startsWith('category.')) direct.category = context.surroundings.resolve(key, String(value));
    else if (PLAIN.has(key)) direct[key] = value;
    else if (isGuid(key)) additional[key] = value;
    else if (key !== 'guid') fields[key] = value;
  }
  return { ...file, ...direct, fields, additional };
}

function without(file: FileRecord, removed: ReadonlySet<string>, { surroundings }: ImportContext): FileRecord {
  if (removed.size === 0) return file;
  const keep = ([key]: readonly [string, FieldValue]): boolean => !removed.has(key);
  const uncategorized = [...removed].some((key) => key.startsWith('category.'));
  return {
    ...file,
    name: removed.has('name') ? null : file.name,
    category: uncategorized ? surroundings.defaultCategory : file.category,
    fields: Object.fromEntries(Object.entries(file.fields).filter(keep)),
    additional: Object.fromEntries(Object.entries(file.additional).filter(keep)),
  };
}

/** Adds the content of a file that is stored as one; a web address or a placeholder has none. */
function withContent(file: FileRecord, values: FileCells['values'], contents: FileContents): FileRecord {
  const name = values.get('name');
  if (typeof name !== 'string' || file.fields.storageMethodName !== 'FILE') return file;
  const ending = /\.(\w+)$/.exec(name)?.[1];
  const fields = file.fields.format === undefined && ending !== undefined ? { format: ending } : {};
  return { ...file, ...contents.claim(name), fields: { ...file.fields, ...fields } };
}

/** Refuses a file without an attribute that its category requires, and a web address without a location. */
function checkOwn({ fields, additional, category }: FileRecord, { surroundings, required }: ImportContext): void {
  if (fields.storageMethodName === 'WEB' && fields.location === undefined) throw refuse.required('location');
  const missing = required.find((target) => {
    const has = target.category === null || surroundings.isWithin(category, target.category);
    return target.custom && has && additional[target.key] === undefined;
  });
  if (missing) throw requiredError(missing);
}

function nextEdition(edition: FieldValue | undefined): string {
  const number = Number(edition ?? 0);
  if (Number.isInteger(number)) return String(number + 1);
  throw new ServiceError({
    code: 3001,
    message: `"edition" is required: what follows "${String(edition)}" is unknown.`,
  });
}
