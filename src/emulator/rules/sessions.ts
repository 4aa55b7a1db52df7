import { createHash } from 'node:crypto';
import { deleteSession, forgetLoginFailures, replaceSession, sessionByToken, touchSession } from '../store/usage.js';
import { accountByEmail, accountByGuid } from '../store/users.js';
import { countFailure, refuseLocked } from './lockout.js';
import { passwordFits } from './passwords.js';
import { refuse, ServiceError } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly workspaceId?: number | string;
}

/** The time that a session lives after its last call (wire-facts 1). */
export const SESSION_MS = 90 * 60_000;

/** How far the store may lag behind: a restarted workspace knows sessions to the second. */
const STORE_EVERY_MS = 1000;

/**
 * Opens a session and ends the user's previous one (wire-facts 1). Refuses wrong credentials with 4001, without naming
 * the wrong part, and with 4083 for five minutes after five wrong passwords.
 */
export async function logIn(workspace: Workspace, credentials: Credentials): Promise<string> {
  const account = accountByEmail(workspace.settings, credentials.email);
  const now = workspace.clock().getTime();
  if (account) refuseLocked(workspace, account, now);
  const fits = await passwordFits(credentials.password, account?.password ?? null);
  if (!account?.enabled) throw wrongCredentials();
  if (!fits) {
    countFailure(workspace, account, now);
    throw wrongCredentials();
  }
  if (Number(credentials.workspaceId ?? workspace.id) !== workspace.id) throw wrongCredentials();
  const token = workspace.chance.token();
  forgetLoginFailures(workspace.usage, account.guid);
  inUse.delete(workspace);
  replaceSession(workspace.usage, account.guid, digestOf(token), now);
  return token;
}

/** A session as it was last read or used. */
interface OpenSession {
  readonly caller: Caller;
  lastUsed: number;
  /** The time of last use that is in the store. */
  stored: number;
}

/** Sessions in use, by token. No other process writes them, and accounts keep their identity. */
const inUse = new WeakMap<Workspace, Map<string, OpenSession>>();

/** Reads sessions from the store again: those of users that no longer exist have ended. */
export const rereadSessions = (workspace: Workspace): void => void inUse.delete(workspace);

/** Finds the caller of a request and prolongs the session from now. */
export function authenticate(workspace: Workspace, token: string | undefined): Caller {
  if (token === undefined) throw refuse.noSession();
  const known = inUse.get(workspace)?.get(token);
  const session = known ?? readSession(workspace, token);
  const now = workspace.clock().getTime();
  if (!session || now - session.lastUsed > SESSION_MS) throw refuse.noSession();
  if (!known) keepSession(workspace, token, session);
  session.lastUsed = now;
  if (now - session.stored >= STORE_EVERY_MS) {
    session.stored = now;
    touchSession(workspace.usage, session.caller.session, now);
  }
  return session.caller;
}

function keepSession(workspace: Workspace, token: string, session: OpenSession): void {
  const sessions = inUse.get(workspace) ?? new Map<string, OpenSession>();
  inUse.set(workspace, sessions.set(token, session));
}

function readSession(workspace: Workspace, token: string): OpenSession | undefined {
  const session = digestOf(token);
  const found = sessionByToken(workspace.usage, session);
  const account = found && accountByGuid(workspace.settings, found.userGuid);
  if (!account) return undefined;
  const { guid, email, fullName, administrator } = account;
  return {
    caller: { guid, email, fullName, administrator, session },
    lastUsed: found.lastUsed,
    stored: found.lastUsed,
  };
}

/** Whether a workspace has the session of a token, however long ago it was used. */
export const hasSession = (workspace: Workspace, token: unknown): boolean =>
  typeof token === 'string' && (inUse.get(workspace)?.has(token) || readSession(workspace, token) !== undefined);

/** Finds the caller with the session of a token, however long ago it was used; undefined if there is none. */
export const callerWith = (workspace: Workspace, token: unknown): Caller | undefined =>
  typeof token === 'string' ? readSession(workspace, token)?.caller : undefined;

/** Ends the session at once: a later request with its token is refused with 401. */
export function logOut(workspace: Workspace, caller: Caller): void {
  inUse.delete(workspace);
  deleteSession(workspace.usage, caller.session);
}

/** Opens another session of the same user, which ends this one. */
export function takeOver(workspace: Workspace, caller: Caller): void {
  inUse.delete(workspace);
  replaceSession(workspace.usage, caller.guid, digestOf(workspace.chance.token()), workspace.clock().getTime());
}

/** Hashes a token: the store keeps only digests, so that a copy of it opens no session. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function wrongCredentials(): ServiceError {
  return new ServiceError({ code: 4001, message: 'E-mail address, password and workspace do not fit together.' });
}
