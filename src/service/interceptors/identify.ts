import type { Profile } from '../profiles/profile.js';
import type { Interceptor } from '../send.js';

/** Identifies the caller on every request (interface, section 5). */
export function identify({ headers }: Profile, usageReason: string, userAgent: string): Interceptor {
  const own = { [headers.usageReason]: usageReason, 'User-Agent': userAgent, Accept: '*/*' };
  return (next) => (request) => next({ ...request, headers: { ...own, ...request.headers } });
}
