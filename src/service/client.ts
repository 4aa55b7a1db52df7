import { Readable } from 'node:stream';
import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { openSecrets, redactChunks, type Secrets } from '#base/secrets.js';
import type { JsonObject } from '#core/model/json.js';
import { answerObject } from './answer-object.js';
import { identify } from './interceptors/identify.js';
import { askPermission, type Permission } from './interceptors/permission.js';
import { countRequests, type Usage } from './interceptors/quota.js';
import { throwRefusals } from './interceptors/refusals.js';
import { resume } from './interceptors/resume.js';
import { retry } from './interceptors/retry.js';
import { openSession } from './interceptors/session.js';
import { trace } from './interceptors/trace.js';
import { type Login, postLogin, type Workspace } from './login.js';
import type { Profile } from './profiles/profile.js';
import { nameOfRequest } from './request-name.js';
import { type Answer, type Interceptor, intercept, type Request, type RequestBody, type Send } from './send.js';
import { type Connections, openConnections, openTransport, TIMEOUT } from './transport.js';

/** Operations for planning. None of them writes, so that a plan cannot change anything. */
export interface Reader {
  readonly profile: Profile;
  readonly usage: Readonly<Usage>;
  /** Reports what is odd about an answer that can still be used; each finding once. */
  warn(finding: Diagnostic): void;
  /** Logs in if necessary. */
  workspace(): Promise<Workspace>;
  get(path: string, query?: Request['query']): Promise<JsonObject>;
  /** `messages`: without the secrets that the service repeats. */
  stream(path: string, of?: 'values' | 'messages'): Promise<Readable>;
}

/** Further operations for steps. Every call is one request; an answer with any 2xx status is a success. */
export interface Writer extends Reader {
  write(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: RequestBody,
    query?: Request['query'],
  ): Promise<JsonObject>;
  /** Creates one object. If the session is refused, throws that and renews the session: nothing is sent again. */
  create(path: string, body: RequestBody): Promise<JsonObject>;
}

/** A client that can be closed and that can send requests without a method of their own. */
export interface Client extends Writer {
  /** Sends any request, and returns the answer as it came. */
  readonly send: Send;
  close(): Promise<void>;
}

/** Where and how to connect, and callbacks for permissions and reports. */
export interface ClientOptions {
  readonly profile: Profile;
  readonly login: Login;
  /** Asked before each login and each write. Without it both are permitted. */
  readonly permission?: Permission;
  readonly usageReason: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  readonly clock: () => number;
  /** Milliseconds that a request may take, including pauses and repeats; for a file, until it begins or continues. */
  readonly timeout?: number;
  /** Connections that clients share and somebody else closes; by default it has its own. */
  readonly connections?: Connections;
  /** Called before a pause that the service asked for. */
  readonly onWait?: (seconds: number) => void;
  readonly onWarning?: (finding: Diagnostic) => void;
  readonly trace?: (line: string) => void;
  /** Receives the password and each token, and redacts texts of the service before they become messages. */
  readonly secrets?: Secrets;
}

type CompleteOptions = ClientOptions & Required<Pick<ClientOptions, 'timeout' | 'secrets'>>;

/** Opens a client of one workspace. Nothing is sent before the first call. */
export function openClient(options: ClientOptions): Client {
  const { profile, signal, clock, permission, timeout = TIMEOUT, secrets = openSecrets() } = options;
  const usage: Usage = { used: 0, remaining: null, reset: null };
  const connections = options.connections ?? openConnections(timeout);
  const transport = openTransport(options.login.url, signal, timeout, connections);
  let workspace: Workspace = { id: '', name: '' };
  const open = intercept(transport, commonInterceptors({ ...options, timeout, secrets }, usage));
  const login = async (): Promise<string> => {
    await permission?.mayLogIn();
    const opened = await postLogin(open, profile, options.login, secrets);
    workspace = opened.workspace;
    return opened.token;
  };
  const session = openSession({ profile, email: options.login.email, login, clock, signal });
  const send = intercept(open, [session.interceptor]);
  const json = async (request: Request): Promise<JsonObject> => answerObject(await send(request), request, secrets);
  const warned = new Set<string>();
  return {
    profile,
    usage,
    warn(finding) {
      if (!warned.has(finding.message)) options.onWarning?.(finding);
      warned.add(finding.message);
    },
    async workspace() {
      await session.token();
      return workspace;
    },
    get: (path, query) => json({ method: 'GET', path, ...omitUndefined({ query }) }),
    async stream(path, of) {
      const content = bodyStream(await send({ method: 'GET', path, answer: 'stream' }), path);
      return of === 'messages' ? Readable.from(redactChunks(content, secrets)) : content;
    },
    send,
    write: (method, path, body, query) => json({ method, path, ...omitUndefined({ body, query }) }),
    create: (path, body) => json({ method: 'POST', path, body, once: true }),
    close: async () => (options.connections === undefined ? connections.close() : undefined),
  };
}

/** The interceptors of every request, also of a login. */
function commonInterceptors(
  { profile, signal, clock, timeout, permission, secrets, ...options }: CompleteOptions,
  usage: Usage,
): Interceptor[] {
  return [
    throwRefusals(secrets),
    resume,
    retry(profile, { signal, clock, longest: timeout, onWait: options.onWait ?? (() => undefined) }),
    countRequests(usage, profile),
    identify(profile, options.usageReason, options.userAgent),
    ...(permission === undefined ? [] : [askPermission(permission)]),
    ...(options.trace === undefined ? [] : [trace(options.trace, clock, secrets)]),
  ];
}

function bodyStream({ body }: Answer, path: string): Readable {
  if ('stream' in body) return body.stream;
  throw new DexsyncError(
    'ANSWER_UNEXPECTED',
    `${nameOfRequest({ method: 'GET', path })} was answered without content.`,
  );
}
