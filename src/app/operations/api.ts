import { DexsyncError } from '#base/errors.js';
import type { Json } from '#core/model/json.js';
import { type Ask, type Confirmation, confirmationIn } from '#delivery/planfile/consent.js';
import type { Config } from '#project/config/load-config.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Access } from '#project/connection/login-lease.js';
import { connectionPlace } from '#project/connection/place.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { listPages } from '#service/list-pages.js';
import type { Request, RequestBody } from '#service/send.js';
import { ServiceError } from '#service/service-error.js';
import {
  type ApiAnswer,
  checkOutput,
  type Delivery,
  deliverAnswer,
  type OutputFile,
  takeAnswer,
} from '../api/answer.js';
import { buildQuery } from '../api/fields.js';
import { type GivenField, readFields, readRequestBody } from '../api/input.js';
import { type RequestTarget, toRequestTarget } from '../api/target.js';

/** The HTTP methods of the interface. */
export type Method = Request['method'];

/** One request, with path and fields as the user gave them. */
export interface ApiOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  readonly method: Method;
  /** Relative to the service's base address; may contain a query. */
  readonly path: string;
  readonly fields: readonly GivenField[];
  /** A file with the body, or `-`; the fields then go into the query. */
  readonly input?: string;
  readonly pages: 'all' | 'one';
  /** JMESPath. */
  readonly query?: string;
  readonly output?: OutputFile;
  /** For a write to a production workspace; asked with method and path. */
  readonly confirm: Confirmation<string>;
  /** Called after each page with the number of entries read so far. */
  readonly onRead?: (entries: number) => void;
  /** Called with the whole body of a refusal, before that is thrown as an error. */
  readonly onRefusal?: (body: string) => void;
}

/** Sends one request in the environment, as the user wrote it. Returns undefined if nobody confirmed. */
export async function api(options: ApiOptions, host: Host): Promise<ApiAnswer | undefined> {
  const sending = await prepareRequest(options, host);
  const { config, request, confirm } = sending;
  const reaching = { environment: options.environment, access: accessOf(options) };
  return withConnection(config, reaching, host, async (connection) => {
    if (!(await confirm(request, connectionPlace(connection)))) return undefined;
    try {
      return await sendAndDeliver(sending, connection, options, host);
    } catch (error) {
      if (error instanceof ServiceError) options.onRefusal?.(error.body);
      throw error;
    }
  });
}

const accessOf = ({ method }: ApiOptions): Access => (method === 'GET' ? 'read' : 'write');

interface PreparedRequest {
  readonly config: Config;
  readonly target: RequestTarget;
  readonly body: { readonly body?: RequestBody };
  readonly query: Delivery['query'];
  /** Method and path, for people. */
  readonly request: string;
  readonly confirm: Ask<string>;
}

/** Checks everything that can be checked before a request is spent. */
async function prepareRequest(options: ApiOptions, host: Host): Promise<PreparedRequest> {
  const { method, input, pages, output } = options;
  const query = options.query === undefined ? undefined : await loadQuery(options.query);
  const fields = await readFields(options.fields, input, host);
  const inQuery = method === 'GET' || input !== undefined;
  const target = toRequestTarget(options.path, inQuery ? buildQuery(fields) : []);
  if (pages === 'all') checkPaging(method, target);
  if (output !== undefined) await checkOutput(output, host);
  const body = await readRequestBody(input, inQuery ? [] : fields, host);
  const config = await openConfig(options, host);
  const request = `${method} ${target.path}`;
  const confirm = method === 'GET' ? async () => true : confirmationIn(config, options, `${request} is not sent`, host);
  return { config, target, body, query, request, confirm };
}

async function sendAndDeliver(
  { target, body, query }: PreparedRequest,
  connection: Connection,
  options: ApiOptions,
  host: Host,
): Promise<ApiAnswer> {
  const { client } = connection;
  const delivering = { query, output: options.output, host, session: client.profile.headers.session };
  if (options.pages === 'all') {
    const all = await allPages(connection, target, options);
    return deliverAnswer({ status: 200, headers: {} }, all, delivering);
  }
  const { method } = options;
  return takeAnswer(await client.send({ method, path: target.whole, answer: 'stream', ...body }), delivering);
}

const loadQuery = async (expression: string): Promise<(answer: Json) => Json> =>
  (await import('../api/query.js')).compileQuery(expression);

function checkPaging(method: Method, { query }: RequestTarget): void {
  const own = query.find(([name]) => name === 'offset' || name === 'limit');
  if (method === 'GET' && own === undefined) return;
  const message =
    own === undefined
      ? `\`--paginate\` reads lists; it does not work with ${method}.`
      : `\`--paginate\` sets "${own[0]}" itself.`;
  throw new DexsyncError('USAGE', message, { hint: 'Leave out one of them.' });
}

async function allPages({ client }: Connection, { path, query }: RequestTarget, { onRead }: ApiOptions): Promise<Json> {
  const given = Object.fromEntries(query);
  const get: typeof client.get = async (at, paging) => {
    const page = await client.get(at, { ...given, ...paging });
    const count = Array.isArray(page.results) ? page.results.length : 0;
    onRead?.(Number(paging?.offset ?? 0) + count);
    return page;
  };
  const results = await listPages({ ...client, get }, path, 'paged');
  return { count: results.length, results };
}
