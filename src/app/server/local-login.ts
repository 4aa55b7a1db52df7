import { createHash, timingSafeEqual } from 'node:crypto';
import { PAGE_ROLES } from '#core/stream/page-event.js';
import { type Login, loginLimit } from './login.js';
import { unguessable } from './sessions.js';

/** A login for the person who started the server, by a link that works once. Gives all roles: that person has the project. */
export function localLogin(name: string): Login {
  const key = unguessable();
  let isUsed = false;
  return {
    link: (origin) => `${origin}/login?key=${key}`,
    advice: 'Open the link that `dexsync serve` printed. It works once; for another one, start `dexsync serve` again.',
    routes(server, { admit, refuse }) {
      server.get<{ Querystring: { key?: unknown } }>('/login', { config: loginLimit }, async (request, reply) => {
        const given = String(request.query.key ?? '');
        if (isUsed || !isSame(given, key)) return refuse(isUsed ? USED : WRONG, request, reply);
        isUsed = true;
        return admit({ name, roles: PAGE_ROLES }, request, reply);
      });
    },
  };
}

const HINT = 'Start `dexsync serve` again for another link.';
const USED = { message: 'This link was used already, and it works once.', hint: HINT };
const WRONG = { message: 'This is not the link that `dexsync serve` printed.', hint: 'Copy all of it.' };

/** Compares in a time that says nothing about the texts. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(first as Buffer, second as Buffer);
}
