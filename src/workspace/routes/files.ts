import type { Readable } from 'node:stream';
import {
  contentOf,
  FILE_SEARCH,
  type FileDetails,
  findFile,
  findItemFile,
  listFiles,
  listItemFiles,
} from '../rules/files.js';
import { ServiceError } from '../rules/service-error.js';
import type { FileRecord, ListedItemFile } from '../store/files.js';
import type { App, Immutable, Services } from './app.js';
import { additionalAttribute, links, named } from './items.js';
import { byGuid, byMemberGuid, listOf, nullable, page, pagedQuery, person, searchQuery } from './schemas.js';
import { type Static, Type } from './type.js';

const text = nullable(Type.String());

const compact = {
  guid: Type.String(),
  number: Type.String(),
  title: Type.String(),
  name: text,
  edition: text,
  format: text,
  storageMethodName: text,
  size: nullable(Type.Integer()),
  url: links,
};

const file = Type.Object({
  ...compact,
  description: text,
  author: text,
  location: text,
  private: Type.Boolean(),
  category: named,
  creationDateTime: Type.String(),
  creator: person,
  lastModifiedDateTime: text,
  additionalAttributes: Type.Array(additionalAttribute),
});

const association = { guid: Type.String(), primary: Type.Boolean(), latestEditionAssociation: Type.Boolean() };
const itemFile = Type.Object({ ...association, file: Type.Object(compact) });
const fileItem = Type.Object({
  ...association,
  item: Type.Object({ guid: Type.String(), number: Type.String(), name: Type.String(), url: links }),
});

const content = { summary: 'The content of a file' };
const some = { querystring: searchQuery({}) };

/** Files and their items, for reading (endpoints.md; interface 2.4 "File"). The fields are INFERRED where none are shown. */
export function fileRoutes(app: App, services: Services): void {
  fileReads(app, services);
  fileItems(app, services);
  itemFiles(app, services);
}

function fileReads(app: App, { workspace, runFiles }: Services): void {
  const querystring = pagedQuery(FILE_SEARCH, 'includeChildCategories');
  app.get(
    '/files',
    { schema: { summary: 'Search files', querystring, response: { 200: listOf(file) } } },
    async ({ query }) => page(listFiles(workspace, query).map(showFile)),
  );
  app.get(
    '/files/:guid',
    { schema: { summary: 'Get a file', params: byGuid, response: { 200: file } } },
    async ({ params }) => showFile(findFile(workspace, params.guid)),
  );
  app.get('/files/:guid/content', { schema: { ...content, params: byGuid } }, async ({ params }, reply) =>
    reply.type('application/octet-stream').send(stream(runFiles, findFile(workspace, params.guid))),
  );
}

function fileItems(app: App, { workspace }: Services): void {
  app.get(
    '/files/:guid/items',
    { schema: { summary: 'List the items of a file', params: byGuid, ...some, response: { 200: listOf(fileItem) } } },
    async ({ params, query }) => page(listItemFiles(workspace, 'file', params.guid, query).map(showFileItem)),
  );
  app.get(
    '/files/:guid/items/:member',
    { schema: { summary: 'Get an item of a file', params: byMemberGuid, response: { 200: fileItem } } },
    async ({ params }) => showFileItem(findItemFile(workspace, 'file', params.guid, params.member)),
  );
}

function itemFiles(app: App, { workspace, runFiles }: Services): void {
  app.get(
    '/items/:guid/files',
    { schema: { summary: 'List the files of an item', params: byGuid, ...some, response: { 200: listOf(itemFile) } } },
    async ({ params, query }) => page(listItemFiles(workspace, 'item', params.guid, query).map(showItemFile)),
  );
  app.get(
    '/items/:guid/files/:member',
    { schema: { summary: 'Get a file of an item', params: byMemberGuid, response: { 200: itemFile } } },
    async ({ params }) => showItemFile(findItemFile(workspace, 'item', params.guid, params.member)),
  );
  app.get(
    '/items/:guid/files/:member/content',
    { schema: { ...content, params: byMemberGuid } },
    async ({ params }, reply) => {
      const { of } = findItemFile(workspace, 'item', params.guid, params.member);
      return reply.type('application/octet-stream').send(stream(runFiles, of));
    },
  );
}

function stream(runFiles: Services['runFiles'], of: FileRecord): Readable {
  const found = runFiles.open(contentOf(of), 'content');
  if (found) return found;
  throw new ServiceError({ code: 3017, message: `The content of the file with the GUID "${of.guid}" is gone.` });
}

function showCompact({
  guid,
  number,
  title,
  name,
  size,
  fields,
}: FileRecord): Immutable<Static<typeof itemFile>>['file'] {
  return {
    guid,
    number,
    title,
    name,
    edition: word(fields.edition),
    format: word(fields.format),
    storageMethodName: word(fields.storageMethodName),
    size,
    url: { api: `/files/${guid}` },
  };
}

function showFile(details: FileDetails): Immutable<Static<typeof file>> {
  const { fields, category, categoryName, created, creatorPerson, modified, additionalAttributes } = details;
  return {
    ...showCompact(details),
    description: word(fields.description),
    author: word(fields.author),
    location: word(fields.location),
    private: fields.private === true,
    category: { guid: category, name: categoryName },
    creationDateTime: created,
    creator: creatorPerson,
    lastModifiedDateTime: modified,
    additionalAttributes,
  };
}

function showItemFile({ of, ...rest }: ListedItemFile): Immutable<Static<typeof itemFile>> {
  return { ...showAssociation(rest), file: showCompact(of) };
}

function showFileItem({ on, ...rest }: ListedItemFile): Immutable<Static<typeof fileItem>> {
  return { ...showAssociation(rest), item: { ...on, url: { api: `/items/${on.guid}` } } };
}

function showAssociation({ guid, fields }: Pick<ListedItemFile, 'guid' | 'fields'>) {
  return {
    guid,
    primary: fields.primary === true,
    latestEditionAssociation: fields.latestEditionAssociation === true,
  };
}

const word = (value: unknown): string | null => (typeof value === 'string' ? value : null);
