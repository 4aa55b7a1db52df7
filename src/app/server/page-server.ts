import cookies from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { html, type Markup, type Part } from '#base/pages/markup.js';
import { toPrintable } from '#base/printable.js';
import type { Host } from '#project/host.js';
import { type AssetNames, messagePage, withCommands } from '../views/page/frame.js';
import { serveAssets } from './assets.js';
import { answerErrors } from './errors.js';
import type { Login, Welcome } from './login.js';
import { openSessions, type Session, type Sessions } from './sessions.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for all requests but those of the login and of files. */
    session?: Session;
  }
}

/** A server that answers nobody who is not logged in. */
export interface PageServer {
  readonly server: FastifyInstance;
  readonly sessions: Sessions;
  readonly assets: AssetNames;
}

/** Where a server is, as browsers name it. */
export interface PageAddress {
  /** What the `Host` of a request may be; checked against names that others let lead here. */
  readonly isOwn: (host: string) => boolean;
  readonly isSecure: boolean;
  /** The name of the cookie: browsers send the cookies of a machine to all of its ports. */
  readonly cookie: () => string;
}

/** Creates the server with everything that stands before its pages. */
export async function pageServer(login: Login, address: PageAddress, host: Host): Promise<PageServer> {
  const server = fastify({
    forceCloseConnections: true,
    bodyLimit: 65_536,
    // A link that works once is not used up by a look at its headers.
    exposeHeadRoutes: false,
    // Only a proxy on this machine is believed who it speaks for.
    trustProxy: 'loopback',
    // Names of environments are parts of paths.
    routerOptions: { maxParamLength: 5000 },
  });
  const sessions = openSessions(() => host.clock().getTime());
  await server.register(helmet, headersFor(address));
  await server.register(cookies);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  server.addHook('onRequest', async (request, reply) => {
    if (address.isOwn(request.headers.host ?? '')) return undefined;
    return reply
      .code(421)
      .type('text/plain')
      .send('This server has another name. Open it as its configuration says.\n');
  });
  server.addHook('onSend', async (_, reply, payload) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    return typeof payload === 'string' ? host.secrets.redact(payload) : payload;
  });
  await server.register(rateLimit, {
    max: 600,
    timeWindow: 60_000,
    keyGenerator: (request) => request.session?.id ?? request.ip,
  });
  await server.register(csrf, { sessionPlugin: '@fastify/session', getToken: tokenIn });
  const assets = serveAssets(server);
  answerErrors(server, assets, host);
  login.routes(server, welcomeFor({ sessions, assets, address, host }));
  admitOnly(server, { sessions, assets, address, login, host });
  return { server, sessions, assets };
}

const tokenIn = ({ body }: FastifyRequest): string => String((body as { _csrf?: unknown } | undefined)?._csrf ?? '');

const headersFor = ({ isSecure }: PageAddress) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': ["'self'"],
      'script-src': ["'self'"],
      'connect-src': ["'self'"],
      'img-src': ["'self'"],
      'form-action': ["'self'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  strictTransportSecurity: isSecure ? { maxAge: 31_536_000 } : (false as const),
  referrerPolicy: { policy: 'no-referrer' as const },
});

interface Welcoming extends Omit<PageServer, 'server'> {
  readonly address: PageAddress;
  readonly host: Host;
}

function welcomeFor({ sessions, assets, address, host }: Welcoming): Welcome {
  return {
    admit(person, request, reply, to = '/') {
      const { id } = sessions.open(person);
      host.emit({ type: 'page', event: { is: 'login', by: person.name, roles: person.roles, from: request.ip } });
      return reply.setCookie(address.cookie(), id, cookieFor(address)).redirect(to, 303);
    },
    refuse({ hint, ...refused }, request, reply) {
      host.emit({ type: 'page', event: { is: 'login-refused', ...refused, from: request.ip } });
      return reply
        .code(403)
        .type(HTML)
        .send(messagePage('No entry', paragraph(`${refused.message} ${hint}`), assets));
    },
  };
}

const cookieFor = ({ isSecure }: PageAddress) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure }) as const;

const paragraph = (text: Part): Markup =>
  html`<p>${typeof text === 'string' ? withCommands(toPrintable(text)) : text}</p>`;

/** The paths of verdicts that need no session: people with a link can only add what an allowed key signed. */
export const LINKS = '/verdicts/';

/** The type of pages. */
export const HTML = 'text/html; charset=utf-8';

interface Admitting extends Welcoming {
  readonly login: Login;
}

/** Lets nobody see anything without a session but the login, and the files of its page. */
function admitOnly(server: FastifyInstance, { sessions, assets, address, login, host }: Admitting): void {
  const open = new Set(['/icon.svg', ...Object.values(assets).map((file) => `/${file}`)]);
  server.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    if (open.has(path) || path === '/login' || path.startsWith('/login/') || path.startsWith(LINKS)) return undefined;
    const session = sessions.find(request.cookies[address.cookie()]);
    if (session !== undefined) {
      request.session = session;
      return undefined;
    }
    const isNavigation = (request.headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' && request.method === 'GET';
    if (isNavigation && login.advice === undefined)
      return reply.redirect(`/login?to=${encodeURIComponent(request.url)}`);
    return reply
      .code(401)
      .type(HTML)
      .send(messagePage('You are not logged in', paragraph(login.advice ?? 'Open this page again.'), assets));
  });
  server.post('/logout', { preHandler: server.csrfProtection }, async (request, reply) => {
    const { id = '', name: by = '' } = request.session ?? {};
    sessions.close(id);
    host.emit({ type: 'page', event: { is: 'logout', by } });
    reply.clearCookie(address.cookie(), cookieFor(address));
    return reply
      .type(HTML)
      .send(messagePage('You are logged out', paragraph(login.advice ?? html`<a href="/">Log in again</a>`), assets));
  });
}
