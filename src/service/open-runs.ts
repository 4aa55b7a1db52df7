import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { DexsyncError } from '../errors.js';
import { isObject, type JsonObject, objectsIn } from '../model/json.js';
import type { Guid } from '../model/kind.js';
import type { Reader, Writer } from './client.js';
import type { ImportRun, ImportRuns, RunReads, RunUpload } from './import-runs.js';
import type { RequestBody } from './send.js';
import { unanswered } from './unanswered.js';

/** The import-run endpoints of one definition over the client (interface 4.2 to 4.5). */
export function openRuns(writer: Writer, definition: Guid): ImportRuns {
  const path = pathOf(definition);
  return {
    ...openRunReads(writer, definition),
    post: async (upload) => written(await writer.write('POST', path, multipart(upload)), 'posted'),
    commit: async (run) =>
      written(await writer.write('PUT', `${path}/${run}`, { json: { commit: true } }), 'committed'),
  };
}

export function openRunReads(reader: Reader, definition: Guid): RunReads {
  const path = pathOf(definition);
  return {
    read: async (run) => asked(await reader.get(`${path}/${run}`)),
    errorContent: (run) => reader.stream(`${path}/${run}/errorContent`),
    submitContent: (run) => reader.stream(`${path}/${run}/submitContent`),
  };
}

const pathOf = (definition: Guid): string => `/imports/${definition}/runs`;

function asked(body: JsonObject): ImportRun {
  const run = toRun(body);
  if (run !== undefined) return run;
  throw new DexsyncError('ANSWER_UNEXPECTED', 'The service answered an import run without guid or status.');
}

function written(body: JsonObject, what: string): ImportRun {
  const run = toRun(body);
  if (run !== undefined) return run;
  throw unanswered(`The service answered an import run without guid or status; it may or may not have been ${what}.`);
}

function toRun(body: JsonObject): ImportRun | undefined {
  const { guid, status, number } = body;
  if (typeof guid !== 'string' || typeof status !== 'string') return undefined;
  return {
    guid,
    status,
    ...(typeof number === 'number' ? { number } : {}),
    commit: body.commit === true,
    totalCount: Number(body.totalCount ?? 0),
    successCount: Number(body.successCount ?? 0),
    ...(typeof body.errorCount === 'number' ? { errorCount: body.errorCount } : {}),
    warnings: warningsOf(body.warnings),
  };
}

function warningsOf(value: unknown): ImportRun['warnings'] {
  const results = isObject(value) ? value.results : [];
  return objectsIn(results).map(({ code, message }) => ({ code: Number(code), message: String(message) }));
}

/** The parts of interface 4.2 as one stream whose length is known beforehand; the file is never held in memory. */
function multipart(upload: RunUpload): RequestBody {
  const boundary = `dexsync-${randomUUID()}`;
  const { worksheetName } = upload;
  const fields: [string, string][] = [
    ['commit', 'false'],
    ['submitFileType', upload.fileType],
    ...(worksheetName === undefined ? [] : [['submitWorksheetName', worksheetName] as [string, string]]),
  ];
  const head = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const type =
    upload.fileType === 'CSV' ? 'text/csv' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const file =
    `--${boundary}\r\nContent-Disposition: form-data; name="submitContent"; filename="${quoted(upload.fileName)}"\r\n` +
    `Content-Type: ${type}\r\n\r\n`;
  const start = Buffer.from(head.join('') + file);
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* bytes(): AsyncGenerator<Buffer> {
    yield start;
    for await (const chunk of upload.open()) yield chunk;
    yield end;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: start.length + upload.size + end.length,
    open: () => Readable.from(bytes(), { objectMode: false }),
  };
}

/** As browsers escape file names in a form. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
