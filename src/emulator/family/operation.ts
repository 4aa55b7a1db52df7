import type { FastifyRequest, FastifySchema } from 'fastify';
import type { App } from '../routes/app.js';

/** One method and path that a family, or what belongs to it, answers. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With a name for each GUID: `/suppliers/:guid`. */
  readonly path: string;
  readonly status: number;
  /** Builds its schema, which costs more than finding the operation. */
  readonly schema: () => FastifySchema & { readonly summary: string };
  /** Returns the body of the answer, if it has one. */
  answer(request: FastifyRequest): Promise<unknown>;
}

/** Adds an operation as a route of its own. */
export function addOperation(app: App, { method, path, status, schema, answer }: Operation): void {
  app.route({
    ...{ method, url: path, schema: schema() },
    handler: async (request, reply) => reply.status(status).send(await answer(request as FastifyRequest)),
  });
}
