import type { Readable } from 'node:stream';
import { type FileRecord, files } from '../families/files.js';
import { findRecord } from '../family/records.js';
import { ServiceError } from '../rules/service-error.js';
import type { App, Services } from './app.js';
import { byGuid, contentOf } from './schemas.js';

const NOT_DOWNLOADABLE = 3017;

const summary = 'The content of a file';

/** Adds the endpoints for contents of files, alone and as files of items (endpoints.md; interface 2.4 "File"). */
export function fileContentRoutes(app: App, { workspace, runFiles }: Services): void {
  const type = 'application/octet-stream';
  app.get(
    '/files/:guid/content',
    { schema: { summary, params: byGuid, response: contentOf(type) } },
    async ({ params }, reply) =>
      reply.type(type).send(streamContent(runFiles, findRecord(workspace, files, params.guid))),
  );
}

/** Opens the content of a file; refuses a file without content with 3017. */
export function streamContent(
  runFiles: Services['runFiles'],
  { guid, content }: Pick<FileRecord, 'guid' | 'content'>,
): Readable {
  if (content === null) throw undownloadable(`The file with the GUID "${guid}" has no content.`);
  const found = runFiles.open(content, 'content');
  if (found) return found;
  throw undownloadable(`The content of the file with the GUID "${guid}" is gone.`);
}

const undownloadable = (message: string): ServiceError => new ServiceError({ code: NOT_DOWNLOADABLE, message });
