import type { Row } from '#base/sqlite/sqlite.js';
import { type Asked, type Described, described } from '../documented/described.js';
import { documented } from '../documented/documented.js';
import { kept, keptValue, valueKept } from '../documented/kept-value.js';
import { linkedField } from '../documented/linked-field.js';
import { familiesWith } from '../documented/registry.js';
import { createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import type { Field, FieldFactory, StoredRecord, WriteRequest } from '../family/field.js';
import { flag } from '../family/plain-fields.js';
import { deleteRecord, findRecord, findRow } from '../family/records.js';
import { text } from '../family/text-fields.js';
import { ruled } from '../family/traits.js';
import { createRecord, replaceRecord } from '../family/write-record.js';
import { endpointAt } from '../interface/endpoints.js';
import { nullable } from '../routes/schemas.js';
import { Type } from '../routes/type.js';
import { zulu } from '../rules/date-times.js';
import { findCategory, UNCATEGORIZED } from '../rules/item-settings.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { flag as flagIn, selectAll } from '../store/select.js';
import { type FileRecord, fileFields, files, firstEdition, isLatest } from './files.js';

type Values = Readonly<Record<string, unknown>>;

/** How a file is stored (wire-facts 8.3). */
const STORAGE_METHODS = ['FILE', 'FTP', 'WEB', 'PLACE_HOLDER'];

/** A name alone is stored, as imports do. */
const author: FieldFactory = (name) => ({
  ...(fileFields.author(name) as Field),
  ...valueKept(name),
  given: {
    schema: Type.Optional(nullable(Type.Object({ fullName: Type.String() }, { additionalProperties: false }))),
    parse: (value) => (value as { readonly fullName: string } | null | undefined)?.fullName ?? null,
  },
});

const DEFAULT_CATEGORY = "SELECT guid FROM categories WHERE world = 'FILES' AND name = ?";

/** A file without a category is uncategorized, as with imports. */
const category: FieldFactory<string> = (name) => ({
  ...fileFields.category(name),
  given: {
    schema: Type.Optional(nullable(Type.Object({ guid: Type.String() }, { additionalProperties: false }))),
    parse: (value, { settings }) => {
      const { guid } = (value ?? settings.get(DEFAULT_CATEGORY, UNCATEGORIZED)) as StoredRecord;
      return guid;
    },
  },
});

/** Files as requests write them (wire-facts 8.3); imports write the same table. */
export const writtenFiles: Family = documented('/files', {
  one: 'a file',
  many: 'files',
  table: 'files',
  imported: true,
  world: 'FILES',
  clearable: ['description', 'format'],
  fields: {
    ...{ author, category, title: text(), private: kept(flag(false)) },
    ...{ number: ruled(fileFields.number), name: ruled(fileFields.name), size: ruled(fileFields.size) },
    ...{ content: ruled(fileFields.content), creator: fileFields.creator, locked: fileFields.locked },
    ...{ latest: fileFields.latest, storageMethod: fileFields.storageMethod },
    checkoutUser: linkedField('/settings/users', { types: [] }),
    checkoutDateTime: keptValue({ types: ['string'] }),
  },
  check: (file, writing) => checkedFile(file as unknown as FileRecord, writing) as unknown as typeof file,
}) as unknown as Family;

function checkedFile(file: FileRecord, writing: WriteRequest): FileRecord {
  const { workspace, upload } = writing;
  const stored = workspace.settings.get(writtenFiles.byGuid, file.guid);
  if (stored && flagIn(stored, 'locked')) throw refusal(3084, `The file "${file.number}" is locked.`);
  findCategory(workspace, file.category, 'FILES');
  return withContent(
    { ...file, number: file.number ?? nextNumber(workspace), title: file.title || (upload?.name ?? '') },
    writing,
    stored && files.read(stored),
  );
}

/** Returns the file as its storage method asks: with the content that came with the request, at an address, or empty. */
export function withContent(file: FileRecord, { upload }: WriteRequest, before?: FileRecord): FileRecord {
  const { fields } = file;
  const storageMethodName = upload ? 'FILE' : String(fields.storageMethodName ?? 'FILE');
  if (!STORAGE_METHODS.includes(storageMethodName)) throw refuse.option(storageMethodName, 'storageMethodName');
  if (upload) {
    const { content, name, size, mimeType } = upload;
    const { location: _, ...rest } = fields;
    const format = fields.format ?? /\.(\w+)$/.exec(name)?.[1];
    const stored = { ...rest, ...(format && { format }), mimeType, storageMethodName };
    return { ...file, content, name, size, fields: stored };
  }
  if (storageMethodName === 'FILE') {
    if (before === undefined) throw withoutContent();
    if (before.fields.storageMethodName === 'FILE') return file;
    throw refusal(3222, 'The storage method becomes FILE with a content only: POST /files/GUID.');
  }
  if (storageMethodName !== 'PLACE_HOLDER' && !fields.location) throw refuse.required('location');
  const { mimeType: _, ...rest } = fields;
  return { ...file, content: null, name: null, size: null, fields: { ...rest, storageMethodName } };
}

/** The refusal of a file that comes without its content. */
export const withoutContent = () => refusal(3033, 'The part "content" with the file is missing.');

/** The next number of the service; the form is that of imports. */
function nextNumber({ settings }: Workspace): string {
  for (let position = Number(settings.get('SELECT count(*) AS n FROM files')?.n) + 1; ; position += 1) {
    const number = `F-${String(position).padStart(6, '0')}`;
    if (settings.get('SELECT 1 FROM files WHERE number = ?', number) === undefined) return number;
  }
}

/** Sets values beside those that requests give; null removes one. */
export const setState = ({ settings }: Workspace, guid: string, values: Values): number =>
  settings.run('UPDATE files SET fields = json_patch(fields, ?) WHERE guid = ?', JSON.stringify(values), guid);

/** Imports store an edition after the one that follows it, which keeps its place. */
const EDITIONS = { ...writtenFiles.rows, order: "t.fields ->> '$.latest' IS NOT 0, t.seq" };

/** All editions of a file, the oldest first; each has a GUID of its own (INFERRED: `latest`, code 3400). */
function editionsOf(workspace: Workspace, guid: string): readonly Row[] {
  const file = findRecord(workspace, files, guid);
  const first = firstEdition(file);
  const sql = "t.number = ? AND (t.guid = ? OR t.fields ->> '$.editionOf' = ?)";
  return selectAll(workspace.settings, EDITIONS, { sql, values: [file.number, first, first] });
}

const latestOf = (workspace: Workspace, guid: string): FileRecord =>
  editionsOf(workspace, guid).map(files.read).find(isLatest) ?? findRecord(workspace, files, guid);

/** Adds an edition, which keeps what the request does not give. */
function addEdition(writing: WriteRequest, latest: FileRecord): Row {
  const { workspace, body, upload } = writing;
  const { number, title, category: guid, fields, additional } = latest;
  if (!body.edition) throw refuse.required('edition');
  const author = typeof fields.author === 'string' ? { fullName: fields.author } : null;
  const { description, location, storageMethodName, private: isPrivate } = fields;
  const kept = { title, category: { guid }, author, description, private: isPrivate ?? false };
  const inherited = upload ? kept : { ...kept, location, storageMethodName };
  const made = createRecord(writtenFiles, { ...writing, body: { ...inherited, ...body } });
  const sql = 'UPDATE files SET number = ?, additional = ? WHERE guid = ?';
  workspace.settings.run(sql, number, JSON.stringify(additional), String(made.guid));
  setState(workspace, String(made.guid), { editionOf: firstEdition(latest) });
  setState(workspace, latest.guid, { ...CHECKED_IN, latest: false });
  follow(workspace, latest.guid, String(made.guid));
  return findRow(workspace, writtenFiles, String(made.guid));
}

/** Lets the associations with the latest edition follow it (wire-facts 8.3). */
function follow({ settings }: Workspace, from: string, to: string): void {
  const followed = "fields ->> '$.latestEditionAssociation'";
  settings.run(`UPDATE item_files SET file = ? WHERE file = ? AND ${followed}`, to, from);
}

const isLocked = (workspace: Workspace, guid: string): boolean =>
  flagIn(findRow(workspace, writtenFiles, guid), 'locked');

const isReferred = ({ settings }: Workspace, guid: string): boolean =>
  settings.get('SELECT 1 FROM item_files WHERE file = ?', guid) !== undefined ||
  familiesWith('file').some(({ table }) => {
    return settings.get(`SELECT 1 FROM ${table} WHERE fields ->> '$.file' = ?`, guid) !== undefined;
  });

/** Removes the latest edition, unless it is locked or something has it (wire-facts 8.3). */
function removeLatest({ workspace, params: { guid }, runFiles }: Asked): void {
  const latest = latestOf(workspace, guid);
  const before = editionsOf(workspace, guid).findLast((row) => row.guid !== latest.guid);
  if (before) follow(workspace, latest.guid, String(before.guid));
  if (isLocked(workspace, latest.guid) || isReferred(workspace, latest.guid)) {
    throw refusal(3016, `The file "${latest.number}" is locked or belongs to another object.`);
  }
  deleteRecord(workspace.settings, files, latest.guid);
  if (before) setState(workspace, String(before.guid), { latest: null });
  if (latest.content !== null) runFiles.discard(latest.content, 'content');
}

/** Replaces the content of a file, and what else a form gives. */
export function replaceContent(asked: Asked): Row {
  const { workspace, upload, params, runFiles } = asked;
  if (upload === undefined) throw withoutContent();
  const { content } = findRecord(workspace, files, params.guid);
  const row = replaceRecord(writtenFiles, asked, params.guid);
  if (content !== null) runFiles.discard(content, 'content');
  return row;
}

const CHECKED_IN = { checkedOut: null, checkoutUser: null, checkoutDateTime: null };

/** Checks the latest edition out, or in as itself or the next edition; without either, the check-out is canceled. */
function changeCheckOut(asked: Asked): Row {
  const { workspace, caller, body, upload } = asked;
  const { guid = '', ...given } = body.file as Values & { readonly guid?: string };
  const file = findRecord(workspace, files, guid);
  const { checkedOut, checkoutUser, storageMethodName } = file.fields;
  if (!isLatest(file)) throw refusal(3128, 'Only the latest edition can be checked out.');
  if (storageMethodName !== 'FILE') throw refusal(3129, 'Only a file with a content can be checked out.');
  if ((checkedOut === true) === body.checkedOut) {
    throw refusal(checkedOut ? 3130 : 3131, `The file is checked ${checkedOut ? 'out' : 'in'} already.`);
  }
  if (body.checkedOut) {
    setState(workspace, guid, {
      checkedOut: true,
      checkoutUser: caller.guid,
      checkoutDateTime: zulu(workspace.clock()),
    });
    return findRow(workspace, writtenFiles, guid);
  }
  if (checkoutUser !== caller.guid && !caller.administrator)
    throw refusal(3132, 'Another user has checked the file out.');
  setState(workspace, guid, CHECKED_IN);
  const newEdition = String(body.newEdition ?? '');
  if (newEdition === '') return findRow(workspace, writtenFiles, guid);
  if (upload === undefined) throw withoutContent();
  const writing = { ...asked, body: given };
  return newEdition === 'true' ? addEdition(writing, file) : replaceRecord(writtenFiles, writing, guid);
}

const show = (asked: Asked, row: Row, shape = asked.shape): unknown => createAnswerer(writtenFiles, asked, shape)(row);

/** What files do besides what all families do. */
export const fileOperations: readonly Described[] = [
  described('POST /files/checkoutstatuschanges', 'Check a file out or in', (asked) => {
    return { ...asked.body, file: show(asked, changeCheckOut(asked), asked.shape.keys?.get('file')?.shape) };
  }),
  described('GET /files/{guid}/editions', 'List the editions of a file', (asked) =>
    editionsOf(asked.workspace, asked.params.guid).map((row) => show(asked, row)),
  ),
  described('POST /files/{guid}/editions', 'Add an edition to a file', (asked) => {
    const latest = latestOf(asked.workspace, asked.params.guid);
    if (latest.fields.checkedOut === true) throw refuse.malformed('the file is checked out.');
    // INFERRED: of the two codes for locked files, 3084 is that of an update.
    if (isLocked(asked.workspace, latest.guid)) throw refusal(3109, 'The file is locked, and takes no edition.');
    return show(asked, addEdition({ ...asked, body: (asked.body.file ?? asked.body) as Values }, latest));
  }),
  described('POST /files/{guid}', 'Replace a file with its content', (asked) =>
    show(asked, replaceContent(asked), endpointAt('PUT', '/files/{guid}')?.answer),
  ),
  described('POST /files/{guid}/content', 'Replace the content of a file', (asked) => void replaceContent(asked)),
  described('DELETE /files/{guid}', 'Delete the latest edition of a file', removeLatest),
];
