import { setTimeout as sleep } from 'node:timers/promises';
import { DexsyncError } from '#base/errors.js';
import type { Profile } from '../profiles/profile.js';
import { saysSessionRefused } from '../refusal-meaning.js';
import type { Interceptor, Request } from '../send.js';
import type { ServiceError } from '../service-error.js';

/** The session that all requests of a client share. */
export interface Session {
  readonly interceptor: Interceptor;
  /** Returns the token, and logs in if there is none; concurrent callers share one login. */
  token(): Promise<string>;
}

/** How a session is opened; `email` is for messages. */
export interface SessionOptions {
  readonly profile: Profile;
  readonly email: string;
  readonly login: () => Promise<string>;
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

/** Sessions that end sooner than this after their login were ended by someone, not by the service's time-out. */
const SOON = 60_000;
/** Milliseconds before the login after such an end: none at first, then more each time, to leave the other time. */
const PAUSES = [0, 250, 500, 1000];

/**
 * Logs in before the first request and adds the token to each. If a session ended in between (time-out, or a login of
 * the same user elsewhere), one login renews it for all requests that wait for it. If someone ends it again and again,
 * throws an error that says so: two programs cannot both work as one user.
 */
export function openSession({ profile, email, login, clock, signal }: SessionOptions): Session {
  let current: { readonly token: Promise<string>; used?: string; since: number } | undefined;
  let ended = 0;
  const open = (pause: number): Promise<string> => {
    const opened = { token: afterPause(pause, signal).then(login), since: clock() } as NonNullable<typeof current>;
    current = opened;
    return opened.token.then((token) => {
      opened.used = token;
      opened.since = clock();
      return token;
    });
  };
  const token = (): Promise<string> => current?.token ?? open(0);
  /** Renews the session once: later callers find the token replaced. */
  const renew = (refused: string, cause: ServiceError): void => {
    if (current?.used !== refused) return;
    ended = clock() - current.since < SOON ? ended + 1 : 1;
    const pause = PAUSES[ended - 1];
    if (pause === undefined) throw contestedSession(cause, email, ended);
    open(pause).catch(() => undefined);
  };
  const interceptor: Interceptor = (next) => async (request) => {
    const used = await token();
    try {
      return await next(withToken(request, used, profile));
    } catch (error) {
      if (!saysSessionRefused(error)) throw error;
      renew(used, error);
      if (request.once === true) throw error;
    }
    return interceptor(next)(request);
  };
  return { interceptor, token };
}

const withToken = (request: Request, value: string, { headers }: Profile): Request => ({
  ...request,
  headers: { ...request.headers, [headers.session]: value },
});

/** Waits for a random time around `pause`, so that two programs do not disturb each other in step. */
async function afterPause(pause: number, signal: AbortSignal): Promise<void> {
  if (pause === 0) return;
  await sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch((cause: unknown) => {
    throw new DexsyncError('INTERRUPTED', 'Interrupted before the session was renewed.', { cause });
  });
}

const contestedSession = (refusal: ServiceError, email: string, times: number): ServiceError =>
  refusal.withHint(
    `Session number ${times} of ${email} ended soon after its login. A login ends the earlier session of the ` +
      'same user, so another program or person is logging in as that user. Give dexsync its own user, and use `readCredentials` for commands that only read.',
  );
