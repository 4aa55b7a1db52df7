import { setTimeout as sleep } from 'node:timers/promises';
import type { Ready } from './hosted-workspace.js';
import { differencesFromDocument } from './openapi-check.js';

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
  readonly body: any;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

/** Sends one request with plain fetch. */
export async function send(
  url: string,
  method: Method,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const type = body === undefined || isForm ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url + path, {
    method,
    headers: { ...type, ...headers },
    body: body === undefined ? null : isForm || typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : text };
}

const NEUTRAL = { field: 'sessionId', header: 'Service-Session-Id' };

/** Where a dialect answers the token and takes it back (wire-facts 0, "token in the login answer"). */
const SESSIONS: Readonly<Record<string, typeof NEUTRAL>> = {
  reference: NEUTRAL,
  arena: { field: 'arenaSessionId', header: 'arena_session_id' },
};

/** A session on a workspace, and the requests that the tests make again and again. */
export class Session {
  readonly url: string;
  readonly token: string;
  readonly #header: string;
  readonly #dialect: string;

  private constructor({ url, dialect }: Pick<Ready, 'url' | 'dialect'>, token: string, header: string) {
    this.url = url;
    this.token = token;
    this.#header = header;
    this.#dialect = dialect;
  }

  /** Logs in; without an id, to the workspace that the service chooses. */
  static async open(ready: Ready, email = ready.email, workspaceId?: number): Promise<Session> {
    const { body } = await send(ready.url, 'POST', '/login', { email, password: ready.password, workspaceId });
    const { field, header } = SESSIONS[ready.dialect] ?? NEUTRAL;
    return new Session(ready, body[field], header);
  }

  /** Sends a request, and compares its answer with the OpenAPI document. */
  async send(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await send(this.url, method, path, body, { [this.#header]: this.token, ...headers });
    const outside = await differencesFromDocument(this.#dialect, method, path, answer);
    if (outside.length > 0) throw new Error(`${method} ${path} (OpenAPI): ${outside.join('; ')}`);
    return answer;
  }

  /** What a path answers, byte by byte. */
  async bytes(path: string): Promise<Buffer> {
    const response = await fetch(this.url + path, { headers: { [this.#header]: this.token } });
    if (response.status !== 200) throw new Error(await response.text());
    return Buffer.from(await response.arrayBuffer());
  }

  async get(path: string): Promise<Answer['body']> {
    return (await this.send('GET', path)).body;
  }

  async post(path: string, body: unknown): Promise<Answer['body']> {
    return (await this.send('POST', path, body)).body;
  }

  /** The GUID of a custom attribute, by its name. */
  async attribute(name: string, world: 'items' | 'items/bom' = 'items'): Promise<string> {
    const { results } = await this.get(`/settings/${world}/attributes?limit=400`);
    return results.find((attribute: { name: string }) => attribute.name === name).guid;
  }

  /** Creates a definition and gives its path. */
  async define(resource: string, mode: string, options: object = {}): Promise<string> {
    const { guid } = await this.post('/imports', { name: `${resource} ${mode}`, resource, mode, options });
    return `/imports/${guid}`;
  }

  /** Submits a file and gives the path of the run. */
  async submit(definition: string, content: string | Blob, fields: Record<string, string> = {}): Promise<string> {
    const { status, body, text } = await this.send('POST', `${definition}/runs`, formOf(content, fields));
    if (status !== 201) throw new Error(text);
    return `${definition}/runs/${body.guid}`;
  }

  /** Polls a run to its end. */
  async finished(run: string): Promise<Answer['body']> {
    for (;;) {
      const body = await this.get(run);
      if (!['CREATED', 'RUNNING', 'IN_PROCESS'].includes(body.status)) return body;
      await sleep(10);
    }
  }

  /** Submits a file, commits it and waits; the answer is the run, and its error lines without the header. */
  async importNow(definition: string, content: string | Blob, fields: Record<string, string> = {}) {
    const path = await this.submit(definition, content, { commit: 'true', ...fields });
    const run = await this.finished(path);
    return { path, run, errors: run.status === 'COMPLETE' ? await this.errors(path) : [] };
  }

  async errors(run: string): Promise<string[]> {
    const { text } = await this.send('GET', `${run}/errorContent`);
    return text.trimEnd().split('\r\n').slice(1);
  }

  /** The items whose number fits, which may hold wildcards. */
  async items(number: string): Promise<Answer['body'][]> {
    return (await this.get(`/items?responseview=full&limit=400&number=${encodeURIComponent(number)}`)).results;
  }

  async bom(number: string): Promise<Answer['body'][]> {
    const [item] = await this.items(number);
    return (await this.get(`/items/${item.guid}/bom?limit=400&includeAdditionalAttributes=true`)).results;
  }
}

export function formOf(content: string | Blob, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('submitContent', typeof content === 'string' ? new Blob([content]) : content, 'source');
  return form;
}

export function csv(...lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}
