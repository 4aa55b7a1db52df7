// Its types are part of those of fastify once it is imported.
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import { DexsyncError, reasonOf } from '#base/errors.js';
import type { LoginSettings, PageSettings } from '#project/config/page-settings.js';
import { type Login, loginLimit, type Welcome } from './login.js';
import { type Claims, nameIn, rolesIn } from './roles.js';
import { unguessable } from './sessions.js';

/** A login that was begun and has not come back from the provider. */
interface Begun {
  /** What only the browser knows that began it. */
  readonly browser: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly to: string;
  readonly at: number;
}

/** Milliseconds that a login may take, and how many may be open at once. */
const PATIENCE = 10 * 60_000;
const MOST = 1000;

const BACK = '/login/back';

/** Logs in by OpenID Connect: code flow with PKCE, state and nonce. Throws NETWORK if the provider cannot be asked. */
export async function oidcLogin({ url, login }: PageSettings, now: () => number): Promise<Login> {
  const provider = await discover(login);
  const begun = new Map<string, Begun>();
  const cookie = { path: '/login', httpOnly: true, sameSite: 'lax', secure: url.protocol === 'https:' } as const;
  const redirect = new URL(BACK, url);
  return {
    link: () => url.href,
    routes(server, welcome) {
      server.get<{ Querystring: { to?: unknown } }>('/login', { config: loginLimit }, async (request, reply) => {
        const one = begin(localPath(request.query.to), now());
        begun.set(one.state, one);
        for (const [old, { at }] of begun) if (begun.size > MOST || now() - at > PATIENCE) begun.delete(old);
        reply.setCookie(cookieOf(one.state), one.browser, { ...cookie, maxAge: PATIENCE / 1000 });
        return reply.redirect((await addressOf(provider, one, { redirect, scope: login.scope })).href);
      });
      server.get<{ Querystring: { state?: unknown } }>(BACK, { config: loginLimit }, async (request, reply) => {
        const state = String(request.query.state ?? '');
        const one = begun.get(state);
        const isHere = one !== undefined && request.cookies[cookieOf(state)] === one.browser;
        if (!isHere || now() - one.at > PATIENCE) return welcome.refuse(LATE, request, reply);
        begun.delete(state);
        reply.clearCookie(cookieOf(state), cookie);
        return finish(one, { provider, login, url, request, reply, welcome });
      });
    },
  };
}

/** Of each login its own, so that two tabs can log in at once. */
const cookieOf = (state: string): string => `dexsync-login-${state.slice(0, 8)}`;
const LATE = { message: 'This login took too long, or was begun in another browser.', hint: 'Log in again.' };

async function discover({ issuer, clientId, clientSecret, clientAuthentication }: LoginSettings) {
  const authentication =
    clientSecret === undefined
      ? oidc.None()
      : clientAuthentication === 'post'
        ? oidc.ClientSecretPost(clientSecret)
        : oidc.ClientSecretBasic(clientSecret);
  // The configuration allows http for this machine only.
  const options = issuer.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {};
  try {
    return await oidc.discovery(issuer, clientId, undefined, authentication, options);
  } catch (cause) {
    throw new DexsyncError('NETWORK', `The login service ${issuer} cannot be used: ${causeText(cause)}.`, {
      hint: `\`page.login.issuer\` is the address below which it has .well-known/openid-configuration.`,
      cause,
    });
  }
}

const causeText = (error: unknown): string => reasonOf((error as Error).cause ?? error);

const begin = (to: string, at: number): Begun => ({
  ...{ browser: unguessable(), state: oidc.randomState(), nonce: oidc.randomNonce() },
  ...{ verifier: oidc.randomPKCECodeVerifier(), to, at },
});

async function addressOf(
  provider: oidc.Configuration,
  { state, nonce, verifier }: Begun,
  { redirect, scope = 'openid email' }: { readonly redirect: URL; readonly scope?: string | undefined },
): Promise<URL> {
  return oidc.buildAuthorizationUrl(provider, {
    ...{ redirect_uri: redirect.href, scope, state, nonce },
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
}

/** A path of this page, so that a link to a login leads nowhere else. */
const localPath = (to: unknown): string =>
  typeof to === 'string' && /^\/(?![/\\])[^\\]*$/.test(to) && !to.startsWith('/login') ? to : '/';

interface Return {
  readonly provider: oidc.Configuration;
  readonly login: LoginSettings;
  readonly url: URL;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly welcome: Welcome;
}

async function finish(one: Begun, { provider, login, url, request, reply, welcome }: Return): Promise<FastifyReply> {
  let claims: Claims;
  try {
    claims = await claimsOf(new URL(request.url, url), one, provider, login.roles.claim ?? 'groups');
  } catch (error) {
    const { error: code, error_description: said } = error as { error?: string; error_description?: string };
    const message = `The login service did not confirm the login: ${said ?? code ?? causeText(error)}.`;
    return welcome.refuse({ message, hint: 'Log in again.' }, request, reply);
  }
  const [name, roles] = [nameIn(claims), rolesIn(claims, login.roles)];
  if (roles.length > 0) return welcome.admit({ name, roles }, request, reply, one.to);
  const hint = 'Ask the people who run this page: `page.login.roles` in sync.config.yaml says who may use it.';
  return welcome.refuse({ by: name, message: `${name} has no role on this page.`, hint }, request, reply);
}

/** The claims of the ID token, and those that the provider gives on request only. */
async function claimsOf(
  at: URL,
  { state, nonce, verifier }: Begun,
  provider: oidc.Configuration,
  needed: string,
): Promise<Claims> {
  const tokens = await oidc.authorizationCodeGrant(provider, at, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
    idTokenExpected: true,
  });
  const claims: Claims = { ...tokens.claims() };
  const isAll = claims[needed] !== undefined && claims.email !== undefined;
  if (isAll || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await oidc.fetchUserInfo(provider, tokens.access_token, String(claims.sub))), ...claims };
}
