import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageEvent } from '#core/stream/page-event.js';
import type { Person } from './sessions.js';

/** A way to log in. */
export interface Login {
  /** What to open first, once the server is ready at this origin. */
  readonly link: (origin: string) => string;
  /** What the page says to people who are not logged in; undefined if `/login` can log them in. */
  readonly advice?: string;
  /** Adds the routes of the login, all below `/login`. */
  readonly routes: (server: FastifyInstance, welcome: Welcome) => void;
}

/** What becomes of somebody who tried to log in. */
export interface Welcome {
  /** Opens a session and answers with its first page. */
  readonly admit: (person: Person, request: FastifyRequest, reply: FastifyReply, to?: string) => FastifyReply;
  /** Says why there is none. */
  readonly refuse: (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

/** Why somebody may not come in, and what to do about it. */
export interface Refusal extends Omit<Extract<PageEvent, { is: 'login-refused' }>, 'is' | 'from'> {
  readonly hint: string;
}

/** Attempts to log in from one address in a minute. */
export const loginLimit = { rateLimit: { max: 20, timeWindow: 60_000 } };
