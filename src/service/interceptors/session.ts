import type { Profile } from '../profiles/profile.js';
import type { Interceptor, Request } from '../send.js';
import { ServiceError } from '../service-error.js';

export interface Session {
  readonly interceptor: Interceptor;
  /** Logs in unless that was done; concurrent callers share one login. */
  token(): Promise<string>;
}

/**
 * Logs in before the first request and carries the token on each. A session that ended in between (time-out, or a
 * login of the same user elsewhere) is renewed once, by one login for all requests that wait for it.
 */
export function openSession({ headers }: Profile, login: () => Promise<string>): Session {
  let pending: Promise<string> | undefined;
  const token = (): Promise<string> => {
    pending ??= login();
    return pending;
  };
  const withToken = (request: Request, value: string): Request => ({
    ...request,
    headers: { ...request.headers, [headers.session]: value },
  });
  const interceptor: Interceptor = (next) => async (request) => {
    const used = await token();
    try {
      return await next(withToken(request, used));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 401) throw error;
      if ((await token()) === used) pending = undefined;
      return next(withToken(request, await token()));
    }
  };
  return { interceptor, token };
}
