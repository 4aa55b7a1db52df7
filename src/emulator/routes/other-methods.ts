import { refuse } from '../rules/service-error.js';
import type { App } from './app.js';

/**
 * Answers 405 to every method that a known path does not have, and 404 to every other path (wire-facts 2). To be called
 * before the routes are added.
 *
 * Paths are compared when a request finds no route: to add a route for each missing method would take longer than
 * everything else when a workspace is started.
 */
export function refuseOtherRequests(app: App): void {
  const known: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  app.setNotFoundHandler(({ url, method }, reply) => {
    const path = url.split('?', 1)[0] ?? url;
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((one) => one.methods);
    if (methods.length === 0) throw refuse.noEndpoint(path);
    reply.header('Allow', [...new Set(methods)].join(', '));
    throw refuse.method(method, url);
  });
}

/** What fits the path of a route, whose parameters are written `:name`. */
const patternOf = (url: string): RegExp => new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
