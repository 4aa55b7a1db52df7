import type { Interceptor } from '../send.js';

/** Who is asked whether a request may still be sent: another process may have taken over the login (design, section 7). */
export interface Permission {
  mayLogIn(): Promise<void>;
  mayWrite(): Promise<void>;
}

/** Asks just before each write, also after a pause, and throws what forbids it. What only reads may always be sent. */
export const askPermission =
  ({ mayWrite }: Permission): Interceptor =>
  (next) =>
  async (request) => {
    if (request.method !== 'GET' && request.login !== true) await mayWrite();
    return next(request);
  };
