import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { atEnd } from './at-end.js';
import { finished, type TestProject, type Variables } from './test-project.js';

/** `dexsync serve` as a process. */
export interface ServedPage {
  /** What it printed to open, and where that is. */
  readonly url: string;
  readonly origin: string;
  /** What it wrote about logins and actions, as it is now: the events of its JSON lines. */
  // biome-ignore lint/suspicious/noExplicitAny: what a program printed
  readonly events: () => any[];
  /** Ends it, by SIGTERM by default. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly err: string }>;
}

/** Starts the built program with `serve --json`, and waits until it is ready. */
export async function servePage(
  project: TestProject,
  variables: Variables = {},
  args: readonly string[] = [],
): Promise<ServedPage> {
  const child = project.start(['serve', '--json', '--port', '0', '--interval', '1s', ...args], variables);
  const result = finished(child);
  atEnd(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    err += chunk;
  });
  const line = await new Promise<string>((done, failed) => {
    child.stdout?.setEncoding('utf8').once('data', done);
    void result.then((ended) => failed(new Error(`serve ended with ${ended.code}: ${ended.out}${ended.err}`)));
  });
  const { url } = JSON.parse(line);
  return {
    ...{ url, origin: new URL(url).origin },
    events: () => err.split('\n').flatMap((text) => (text.startsWith('{') ? [JSON.parse(text).event] : [])),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return result;
    },
  };
}

interface PageRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
}

/** What a browser without script is to a server: it keeps cookies, follows no link by itself, and sends forms as they are. */
export class PageBrowser {
  readonly cookies = new Map<string, string>();
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Sends a request. Cookies of an answer are kept, and its redirection is not followed. */
  async send(path: string, { method = 'GET', headers = {}, body }: PageRequest = {}): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await new Promise<IncomingMessage>((done, failed) =>
      request(new URL(path, this.origin), { method, headers: { cookie, ...type, ...headers } }, done)
        .on('error', failed)
        .end(body?.toString()),
    );
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { statusCode: status = 0, headers: given } = answer;
    return { status, text: await text(answer), headers: given, location: given.location ?? null };
  }

  /** Sends a form of a page, with the token that the page has unless the fields have another one. */
  async post(path: string, fields: Readonly<Record<string, string>>, page = '/'): Promise<PageAnswer> {
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec((await this.send(page)).text) ?? [];
    return this.send(path, { method: 'POST', body: new URLSearchParams({ _csrf: token, ...fields }) });
  }
}

/** An answer of the server of a page. */
export interface PageAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  readonly location: string | null;
}

/** A browser that used the link which the server printed. */
export async function browserOf({ url, origin }: Pick<ServedPage, 'url' | 'origin'>): Promise<PageBrowser> {
  const browser = new PageBrowser(origin);
  await browser.send(url);
  return browser;
}
