import { randomBytes } from 'node:crypto';
import type { PageRole } from '#core/stream/page-event.js';

/** Who uses the page. */
export interface Person {
  readonly name: string;
  readonly roles: readonly PageRole[];
}

/** A login, in the memory of the server alone. Its id is a secret of the browser. */
export interface Session extends Person {
  readonly id: string;
  /** Of the forms of this person's pages; `@fastify/csrf-protection` keeps it. */
  _csrf?: string;
}

/** The logins of a server; all of them end with it. */
export interface Sessions {
  open(person: Person): Session;
  /** Finds a session that has not expired, and counts as a use of it. */
  find(id: string | undefined): Session | undefined;
  /** Finds a session without using it. */
  isOpen(id: string): boolean;
  close(id: string): void;
}

const HOUR = 60 * 60 * 1000;

/** Milliseconds without a use, and in all. */
const IDLE = 8 * HOUR;
const LONGEST = 24 * HOUR;

/** Number of sessions; the oldest give way. */
const MOST = 10_000;

/** A random text that nobody guesses. */
export const unguessable = (): string => randomBytes(32).toString('base64url');

/** Keeps sessions; `now` in milliseconds. */
export function openSessions(now: () => number): Sessions {
  const all = new Map<string, { readonly session: Session; readonly begun: number; used: number }>();
  const livingAt = (id: string): ReturnType<typeof all.get> => {
    const found = all.get(id);
    if (found === undefined || (now() - found.used < IDLE && now() - found.begun < LONGEST)) return found;
    all.delete(id);
    return undefined;
  };
  return {
    open(person) {
      const session = { ...person, id: unguessable() };
      all.set(session.id, { session, begun: now(), used: now() });
      for (const id of all.keys()) {
        if (all.size <= MOST) break;
        all.delete(id);
      }
      return session;
    },
    find(id) {
      const found = id === undefined ? undefined : livingAt(id);
      if (found !== undefined) found.used = now();
      return found?.session;
    },
    isOpen: (id) => livingAt(id) !== undefined,
    close: (id) => void all.delete(id),
  };
}
