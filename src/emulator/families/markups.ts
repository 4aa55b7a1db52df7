import type { Row } from '#base/sqlite/sqlite.js';
import { type Asked, type Described, described } from '../documented/described.js';
import { owned } from '../documented/documented.js';
import { givenKeys, givenSchema } from '../documented/kept-value.js';
import { linkedField, ownerShown } from '../documented/linked-field.js';
import { familyAt } from '../documented/registry.js';
import { createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import type { FieldFactory, StoredRecord, WriteRequest } from '../family/field.js';
import { deleteRecord, findRecord, findRow, readRecord, updateRecord } from '../family/records.js';
import { creationTime, creator } from '../family/stamp-fields.js';
import { plainText } from '../family/text-fields.js';
import { hidden } from '../family/traits.js';
import { endpointAt } from '../interface/endpoints.js';
import { streamContent } from '../routes/file-contents.js';
import { Type } from '../routes/type.js';
import { zulu } from '../rules/date-times.js';
import { findCategory } from '../rules/item-settings.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { flag } from '../store/select.js';
import { changes } from './changes.js';
import { setState, withContent, withoutContent, writtenFiles } from './file-writes.js';
import { files } from './files.js';
import { requests } from './requests.js';

type Values = Readonly<Record<string, unknown>>;

interface Markup extends StoredRecord {
  readonly ownerGuid: string;
  readonly fields: { readonly markup?: Values; readonly reserved?: boolean; readonly reservedUser?: string | null };
}

/** What is drawn on a file: a file itself, which has no number. The rules of markups complete what a request gives. */
const markup: FieldFactory<undefined> = (name) => ({
  name,
  answer: Type.Unknown(),
  show: ({ guid }, _, record) => {
    return { size: null, ...(record() as unknown as Markup).fields.markup, guid, locked: false };
  },
  given: {
    schema: givenSchema(name, givenKeys(endpointAt('POST', '/files/{guid}/markups'), name)),
    parse: () => undefined,
  },
  put: () => undefined,
});

/** The change or request that has a markup. */
const holder = (path: string): FieldFactory<undefined> => {
  return (name) => ({
    name,
    answer: Type.Unknown(),
    show: ({ guid }, viewing, _, shape) => {
      const row = holderOf(viewing.workspace, path, String(guid));
      return row && createAnswerer(familyAt(path), viewing, shape)(row);
    },
  });
};

function holderOf(workspace: Workspace, path: string, markup: string): Row | undefined {
  const { table } = familyAt(`${path}/:guid/markupfiles`);
  const entry = workspace.settings.get(`SELECT owner FROM ${table} WHERE markup = ?`, markup);
  return entry && findRow(workspace, familyAt(path), String(entry.owner));
}

/** Markups of files (wire-facts 8.3); who reserves one keeps others from changing it. */
export const markups = owned(files, 'markups', {
  ...{ one: 'a markup', many: 'markups', clearable: [] },
  fields: {
    markup,
    markupOf: ownerShown('/files'),
    reservedUser: linkedField('/settings/users', { types: [] }),
    ...{ change: holder('/changes'), request: holder('/requests') },
  },
  check: (record, writing) => {
    const { fields, ownerGuid } = record as unknown as Markup;
    refuseReserved(fields, writing, 3136);
    const reservedUser = fields.reserved === true ? writing.caller.guid : null;
    return { ...record, fields: { ...fields, markup: fillMarkup(fields.markup, ownerGuid, writing), reservedUser } };
  },
  after: ({ ownerGuid }, { workspace }) => void setState(workspace, ownerGuid, { hasMarkup: true }),
});

function refuseReserved({ reservedUser }: Markup['fields'], { caller }: WriteRequest, code: number): void {
  if (reservedUser && reservedUser !== caller.guid) throw refusal(code, 'Another user has reserved the markup.');
}

function fillMarkup(before: Values | undefined, file: string, writing: WriteRequest): Values {
  const { workspace, body, upload, setsNull } = writing;
  const lastModifiedDateTime = zulu(workspace.clock());
  const given = Object.entries((body.markup ?? {}) as Values).filter(([name, value]) => {
    return value !== null || (setsNull === true && name === 'format');
  });
  const category = { guid: findRecord(workspace, files, file).category };
  const first = { category, creationDateTime: lastModifiedDateTime, storageMethodName: 'FILE' };
  const filled: Values = { ...first, ...before, ...Object.fromEntries(given), lastModifiedDateTime };
  findCategory(workspace, String((filled.category as StoredRecord).guid), 'FILES');
  if (upload) return { ...filled, ...upload, storageMethodName: 'FILE' };
  const { content, name, size, mimeType, ...rest } = filled;
  if (filled.storageMethodName !== 'FILE') {
    if (!filled.location) throw refuse.required('markup.location');
    return rest;
  }
  if (content === undefined) throw withoutContent();
  return filled;
}

const findMarkup = ({ workspace, params: { guid, member } }: Asked): Markup =>
  markups.read(findRow(workspace, markups, member, { sql: 't.owner = ?', values: [guid] })) as unknown as Markup;

const contentOf = ({ fields }: Markup): string | null => (fields.markup?.content as string | undefined) ?? null;

function removeMarkup(asked: Asked): void {
  const { workspace, runFiles } = asked;
  const found = findMarkup(asked);
  refuseReserved(found.fields, asked, 3137);
  deleteRecord(workspace.settings, markups, found.guid);
  const others = workspace.settings.get(`SELECT 1 FROM ${markups.table} WHERE owner = ?`, found.ownerGuid);
  if (others === undefined) setState(workspace, found.ownerGuid, { hasMarkup: null });
  const content = contentOf(found);
  if (content !== null) runFiles.discard(content, 'content');
}

/** What markups do besides what all families do. */
export const markupOperations: readonly Described[] = [
  described('DELETE /files/{guid}/markups/{guid}', 'Delete a markup', removeMarkup),
  described('GET /files/{guid}/markups/{guid}/content', 'The content of a markup', (asked) => {
    const found = findMarkup(asked);
    return streamContent(asked.runFiles, { guid: found.guid, content: contentOf(found) });
  }),
];

/** A part of the markup that an entry of a change or request has. */
const ofMarkup: FieldFactory<undefined> = (name) => ({
  name,
  answer: Type.Unknown(),
  show: ({ markup: guid }, viewing, _, shape = { types: [] }) => {
    const keys = new Map([[name, { shape, optional: false }]]);
    const row = findRow(viewing.workspace, markups, String(guid));
    return createAnswerer(markups, viewing, { types: [], keys })(row)[name];
  },
});

const MARKUP = `TEXT NOT NULL UNIQUE REFERENCES ${markups.table} (guid) ON DELETE CASCADE`;

/** The markups of a change or request: a markup is in one of them, once (wire-facts 8.3). */
function markupsOf(owner: Family, codes: { readonly noMarkup: number; readonly again: number }): Family {
  const schema = givenSchema('file', givenKeys(endpointAt('POST', `${owner.path}/{guid}/markupfiles`), 'file'));
  const file: FieldFactory<string> = (name) => ({
    ...hidden(plainText({ column: 'markup', declaration: MARKUP }))(name),
    given: {
      schema,
      parse: (value, workspace) => {
        const { guid } = value as StoredRecord;
        if (readRecord(workspace.settings, files, guid)) throw refusal(codes.noMarkup, 'The file is no markup.');
        findRow(workspace, markups, guid);
        if (holderOf(workspace, '/changes', guid) ?? holderOf(workspace, '/requests', guid)) {
          throw refusal(codes.again, 'A change or request has the markup.');
        }
        return guid;
      },
    },
  });
  return owned(owner, 'markupfiles', {
    ...{ one: 'a markup', many: 'markups' },
    fields: { file, markup: ofMarkup, markupOf: ofMarkup, reserved: ofMarkup, reservedUser: ofMarkup },
  });
}

export const changeMarkups: Family = markupsOf(changes as unknown as Family, { noMarkup: 3470, again: 3139 });
export const requestMarkups: Family = markupsOf(requests as unknown as Family, { noMarkup: 3478, again: 3479 });

/** Corrections of locked files, which otherwise stay as they are (wire-facts 8.3). */
export const corrections = owned(files, 'corrections', {
  ...{ one: 'a correction', many: 'corrections' },
  fields: { correctedDateTime: creationTime(), correctedUser: creator(), file: ownerShown('/files') },
  begin: (_, { body }) => ({ notes: body.comments ?? null }),
  after: ({ ownerGuid }, writing) => correctFile(ownerGuid, writing),
});

function correctFile(guid: string, writing: WriteRequest): void {
  const { workspace, body } = writing;
  const stored = findRecord(workspace, files, guid);
  const isLocked = flag(findRow(workspace, writtenFiles, guid), 'locked');
  if (!isLocked || stored.fields.checkedOut === true) throw refuse.malformed('only a locked file is corrected.');
  const { storageMethodName, location } = body as Readonly<Record<string, string>>;
  if (storageMethodName === 'FILE' && !writing.upload) throw withoutContent();
  const fields = {
    ...stored.fields,
    corrected: true,
    ...(storageMethodName && { storageMethodName }),
    ...(location && { location }),
  };
  updateRecord(workspace.settings, writtenFiles, withContent({ ...stored, fields }, writing, stored), stored);
}
