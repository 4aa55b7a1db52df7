import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { atEnd } from './at-end.js';
import { PageBrowser } from './page-browser.js';

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** A person whom the login service knows. */
export interface KnownPerson {
  readonly email: string;
  readonly groups: readonly string[];
}

/** A real OpenID provider, which has to know the page before that is served. */
export interface LoginService {
  readonly issuer: string;
  /** Takes a client whose logins come back to this page. */
  admit(page: string): void;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Starts `oidc-provider` with some people. A name is enough to log in: passwords are not what is tested. */
export async function loginService(people: Readonly<Record<string, KnownPerson>>): Promise<LoginService> {
  // @ts-expect-error: it has no types.
  const { Provider } = await import('oidc-provider');
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => new Promise((done) => server.close(done)));
  atEnd(() => server.closeAllConnections());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['page', 'a-secret-of-the-client'];
  return {
    ...{ issuer, clientId, clientSecret },
    admit(page) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${page}/login/back`] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
        scopes: ['openid', 'email', 'groups'],
        findAccount: (_: unknown, id: string) => {
          const person = people[id];
          return person && { accountId: id, claims: () => ({ sub: id, email_verified: true, ...person }) };
        },
        ttl: Object.fromEntries(
          ['Interaction', 'Session', 'Grant', 'AccessToken', 'IdToken'].map((what) => [what, 3600]),
        ),
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['keys of a test'] },
      });
      server.removeAllListeners('request').on('request', provider.callback());
    },
  };
}

/** Logs a person in as a browser does, from a path of the page to where that ends. */
export async function logInAs(name: string, origin: string, path = '/') {
  const page = new PageBrowser(origin);
  const { location } = await page.send(path);
  const asked = await page.send(location ?? '');
  const back = await consent(name, asked.location ?? '');
  const { status, location: next, text } = await page.send(back);
  return { page, back, status, next, text };
}

/** Goes through the forms of the provider; the address that it sends the browser to afterwards. */
async function consent(name: string, begin: string): Promise<string> {
  const { origin } = new URL(begin);
  const service = new PageBrowser(origin);
  let at = begin;
  for (let steps = 0; steps < 12; steps += 1) {
    const { location, text } = await service.send(at);
    const next = location === null ? await answerForm(text, name, service) : new URL(location, origin).href;
    if (!next.startsWith(origin)) return next;
    at = next;
  }
  throw new Error(`The login of ${name} does not end.`);
}

async function answerForm(text: string, name: string, service: PageBrowser): Promise<string> {
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
  const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(text) ?? [];
  const fields = prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt };
  const { location } = await service.send(action, { method: 'POST', body: new URLSearchParams(fields) });
  return new URL(location ?? '', service.origin).href;
}
