import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher, errors } from 'undici';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { nameOfRequest } from './request-name.js';
import type { Answer, Request, RequestBody, Send } from './send.js';
import { parseServiceUrl } from './service-url.js';
import { unansweredWrite } from './unanswered-write.js';

/** Connections to services, which clients may share. `close` waits for requests in progress. */
export type Connections = Pick<Agent, 'request' | 'close'>;

const CONNECT_TIMEOUT = 10_000;
/** As many as steps can be in progress at once; they are opened on demand. */
const CONNECTIONS = 64;

/** In milliseconds. */
export const TIMEOUT = 120_000;

/** Opens connections to each service, by default as many as one client uses; null: without a limit. */
export const openConnections = (timeout = TIMEOUT, most: number | null = CONNECTIONS): Connections =>
  new Agent({
    connections: most,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connect: { timeout: Math.min(timeout, CONNECT_TIMEOUT) },
  });

/**
 * Sends requests to one base address over undici. Plain http is allowed to this machine only. An interruption ends
 * reads, but waits for a write in progress, since nobody would know otherwise whether it was done. Throws
 * CONFIG_INVALID or URL_NOT_SECURE for an address; sending throws NETWORK, INTERRUPTED, and WRITE_UNANSWERED if a write
 * may have been done. `timeout` is in milliseconds.
 */
export function openTransport(url: string, signal: AbortSignal, timeout: number, connections: Connections): Send {
  const base = parseServiceUrl(url);
  return async (request) => {
    const toError: ToError = (error, got = 'no answer') => translateFailure(error, { base, request, timeout, got });
    try {
      const interruptible = request.method === 'GET' ? { signal } : {};
      const answer = await connections.request({ ...toOptions(base, request), ...interruptible });
      return await toAnswer(answer, request, toError, timeout);
    } catch (error) {
      throw toError(error);
    }
  };
}

function toOptions(base: URL, { method, path, query, headers, body }: Request): Dispatcher.RequestOptions {
  const text = new URLSearchParams(asText(query ?? {})).toString();
  const search = text === '' ? '' : `?${text}`;
  return {
    origin: base.origin,
    path: `${base.pathname.replace(/\/$/, '')}${path}${search}`,
    method,
    ...encodeBody(headers, body),
  };
}

const asText = (query: NonNullable<Request['query']>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

/** undici accepts any iterable of bytes, and waits for each chunk to be sent, though its types only know streams. */
function encodeBody(
  headers: Request['headers'],
  given: RequestBody | undefined,
): Pick<Dispatcher.RequestOptions, 'headers' | 'body'> {
  if (given === undefined) return { headers: { ...headers, 'content-type': 'application/json' } };
  if ('json' in given) {
    return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(given.json) };
  }
  const { contentType, size, open } = given;
  const body = open() as unknown as Readable;
  return { headers: { ...headers, 'content-type': contentType, 'content-length': String(size) }, body };
}

async function toAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  request: Request,
  toError: ToError,
  timeout: number,
): Promise<Answer> {
  const rest = { status: statusCode, headers: joined(headers) };
  if (statusCode === 206) {
    await body.dump();
    throw unusableAnswer(request, 'with 206, a part of what was asked for.');
  }
  if (request.answer === 'stream' && statusCode < 300) {
    return { ...rest, body: { stream: Readable.from(wholeBody(body, toError), { objectMode: false }) } };
  }
  const bytes = await readBody(body, request, timeout);
  // An error page may have any encoding; elsewhere, a wrong character in a name would be a rename.
  if (statusCode < 300 && !isUtf8(bytes)) throw unusableAnswer(request, 'with bytes that are not UTF-8.');
  return { ...rest, body: { text: bytes.toString('utf8') } };
}

/** Joins headers that share a name: undici returns them as a list, and names in lower case. */
function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    all[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return all;
}

/** Larger than any list; a longer body would only fill the memory. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Reads a body whole, within a size and, even if it trickles, a time. Events are faster here than an iterator. */
function readBody(body: Readable, request: Request, timeout: number): Promise<Buffer> {
  const begun = performance.now();
  let last = begun;
  const late = setTimeout(
    () => body.destroy(last > begun ? trickled(timeout) : new errors.BodyTimeoutError()),
    timeout,
  );
  const chunks: Buffer[] = [];
  let bytes = 0;
  const read = new Promise<Buffer>((resolve, reject) => {
    body
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        last = performance.now();
        if (bytes > MOST_BYTES) body.destroy(tooLargeAnswer(request));
        else chunks.push(chunk);
      })
      .once('end', () => resolve(Buffer.concat(chunks)))
      .once('error', reject);
  });
  return read.finally(() => clearTimeout(late));
}

const trickled = (timeout: number): Error =>
  new Error(`it came in pieces, and was not complete after ${timeout / 1000} s (\`--timeout\`)`);

const tooLargeAnswer = (request: Request): DexsyncError =>
  unusableAnswer(request, `with more than ${MOST_BYTES / 1024 / 1024} MB, which is too large to read.`);

function unusableAnswer(request: Request, how: string): DexsyncError {
  const says = `${nameOfRequest(request)} was answered ${how}`;
  return request.method === 'GET' ? new DexsyncError('ANSWER_UNEXPECTED', says) : unansweredWrite(says);
}

/** Yields the bytes of a body. Reports one that breaks off like an answer that never came. */
async function* wholeBody(body: AsyncIterable<Buffer>, toError: ToError): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw toError(error, 'no whole answer');
  }
}

/** Codes of failed connections: the request was certainly not sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const TIMED_OUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

interface FailedRequest {
  readonly base: URL;
  readonly request: Request;
  readonly timeout: number;
  readonly got: Got;
}

type Got = 'no answer' | 'no whole answer';

type ToError = (error: unknown, got?: Got) => DexsyncError;

/** Extracts the reason from an error of OpenSSL, which puts it among places in its own code. */
const tlsReason = (error: unknown): string =>
  reasonOf(error).replace(/^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):.*$/s, '$1');

/** Translates undici's failures into messages for users. Aborted requests stay recognisable by their code. */
function translateFailure(error: unknown, { base, request, timeout, got }: FailedRequest): DexsyncError {
  if (error instanceof DexsyncError) return error;
  const { method } = request;
  const what = nameOfRequest(request);
  if (error instanceof errors.RequestAbortedError || (error as Error).name === 'AbortError') {
    return new DexsyncError('INTERRUPTED', `${what} was interrupted.`, { cause: error });
  }
  const shown = base.href.replace(/\/$/, '');
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  const tls =
    /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) || /certificate|SSL routines/i.test(reasonOf(error));
  if (tls) {
    return new DexsyncError('NETWORK', `No secure connection to ${shown}: ${tlsReason(error)}.`, {
      hint: 'Check host and port of the `url` in sync.config.yaml, and that HTTPS is spoken there. For a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificate file.',
      cause: error,
    });
  }
  const reason = TIMED_OUT.has(code) ? `nothing was received for ${timeout / 1000} s (\`--timeout\`)` : reasonOf(error);
  // A lost login changed nothing.
  if (method !== 'GET' && request.login !== true && !NOT_SENT.has(code)) {
    return unansweredWrite(`${what} got no answer and may or may not have taken effect: ${reason}.`, error);
  }
  return new DexsyncError('NETWORK', `${what} got ${got} from ${shown}: ${reason}.`, {
    hint: unreachableHint(code),
    cause: error,
  });
}

function unreachableHint(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'Check the host name of the `url` in sync.config.yaml, the network and its DNS.';
  if (code === 'ECONNREFUSED')
    return 'Check host and port of the `url` in sync.config.yaml, and whether the service is running.';
  return 'Check the `url` in sync.config.yaml, the network, and any proxy.';
}
