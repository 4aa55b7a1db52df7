import type { FastifyInstance, FastifyTypeProvider } from 'fastify';
import type { Faults } from '../faults/front.js';
import type { RequestLimit } from '../rules/request-limit.js';
import type { Caller, Workspace } from '../rules/workspace.js';
import type { RunFiles } from '../store/run-files.js';
import type { Static, TSchema } from './type.js';

/** Lets a route's TypeBox schemas give the types of its request. */
interface TypeBoxProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  readonly serializer: this['schema'] extends TSchema ? Immutable<Static<this['schema']>> : unknown;
}

/** What a schema describes, as an answer that nobody changes. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

/** The HTTP server as the routes see it. */
export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  TypeBoxProvider
>;

/** What the routes hand requests to. */
export interface Services {
  readonly workspace: Workspace;
  readonly limit: RequestLimit;
  readonly runFiles: RunFiles;
  /** Says that there is a run to process. */
  readonly wake: () => void;
  /** Largest upload in bytes. */
  readonly uploadLimit: number;
  readonly faults: Faults;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; null only in the routes that need no session. */
    caller: Caller | null;
    /** Whether the request was taken out of the request limit. */
    counted: boolean;
  }
  interface FastifyContextConfig {
    /** Answered without a session. */
    readonly open?: true;
    /** Neither counted nor logged as API usage. */
    readonly uncounted?: true;
  }
}
