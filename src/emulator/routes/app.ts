import type { FastifyInstance, FastifyTypeProvider } from 'fastify';
import type { Faults } from '../faults/front.js';
import type { RequestLimit } from '../rules/request-limit.js';
import type { Caller, Workspace } from '../rules/workspace.js';
import type { RunFiles, Upload } from '../store/run-files.js';
import type { Static, TSchema } from './type.js';

/** Derives the types of a request from the TypeBox schemas of its route. */
interface TypeBoxProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  readonly serializer: this['schema'] extends TSchema ? Immutable<Static<this['schema']>> : unknown;
}

/** The type of an answer by its schema, deeply read-only. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

/** The HTTP server as the routes see it. */
export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  TypeBoxProvider
>;

/** The services that routes use. */
export interface Services {
  readonly workspace: Workspace;
  /** All workspaces of the process, the first one first: a login opens one of them. */
  readonly workspaces: () => readonly Workspace[];
  readonly limit: RequestLimit;
  readonly runFiles: RunFiles;
  /** Signals that there is a run to process. */
  readonly wake: () => void;
  /** Largest upload in bytes. */
  readonly uploadLimit: number;
  readonly faults: Faults;
  /** Returns the workspace to the file that it was started from. Throws an OpenError if that is not possible. */
  readonly reset: () => Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who sent the request; null only in routes that need no session. */
    caller: Caller | null;
    /** Whether the request counts against the request limit. */
    counted: boolean;
    /** The file that came with a form. */
    upload?: Upload;
    /** Says what the operation of the description does that answers it. */
    summary?: () => string;
  }
  interface FastifyContextConfig {
    /** Answered without a session. */
    readonly open?: true;
    /** Neither counted nor logged as API usage. */
    readonly uncounted?: true;
  }
}
