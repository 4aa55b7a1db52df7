import type { HTTPMethods } from 'fastify';
import { refuse } from '../rules/service-error.js';
import type { App } from './app.js';

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'];

/**
 * Answers 405 to every method that a known path does not have, and 404 to every other path (wire-facts 2).
 * To be called before the routes are added; the returned function, after them.
 */
export function refuseOtherRequests(app: App): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    known.set(url, methods);
  });
  app.setNotFoundHandler(({ url }) => {
    throw refuse.noEndpoint(url.split('?', 1)[0] ?? url);
  });
  return () => {
    for (const [url, methods] of [...known]) refuseMethods(app, url, methods);
  };
}

function refuseMethods(app: App, url: string, known: ReadonlySet<string>): void {
  const missing = METHODS.filter((method) => !known.has(method));
  const allow = [...known].join(', ');
  app.route({
    method: [...missing],
    url,
    schema: { hide: true },
    handler: (request, reply) => {
      reply.header('Allow', allow);
      throw refuse.method(request.method, request.url);
    },
  });
}
