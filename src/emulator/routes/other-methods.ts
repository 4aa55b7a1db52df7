import { refuse } from '../rules/service-error.js';
import type { App } from './app.js';

/**
 * Answers 405 to every method that a known path lacks, and 404 to every other path (wire-facts 2). Call it before
 * adding the routes.
 *
 * Compares paths only when a request finds no route: adding a route for each missing method would take longer than
 * everything else at the start of a workspace.
 */
export function refuseOtherRequests(app: App): void {
  const known: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url.endsWith('*')) return;
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

/** Compiles the path of a route, whose parameters are written `:name`, to a pattern. */
const patternOf = (url: string): RegExp => new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
