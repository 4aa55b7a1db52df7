import type { Interceptor } from '../send.js';

/** Decides whether a request may still be sent: another process may have taken the login (design, section 7). */
export interface Permission {
  mayLogIn(): Promise<void>;
  mayWrite(): Promise<void>;
}

/** Asks just before each write, even after a pause, and throws if it is forbidden. Reads may always be sent. */
export const askPermission =
  ({ mayWrite }: Permission): Interceptor =>
  (next) =>
  async (request) => {
    if (request.method !== 'GET' && request.login !== true) await mayWrite();
    return next(request);
  };
