import type { App } from './app.js';

/** Logs each request with the status and time of its answer, and what the operation that answered it does. */
export function logEachRequest(app: App, log: (text: string) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { summary = 'no operation' } = (request.routeOptions.schema ?? {}) as { readonly summary?: string };
    const time = `${Math.round(reply.elapsedTime)} ms`;
    log(`${request.method} ${request.url} ${reply.statusCode} ${time}  ${request.summary?.() ?? summary}`);
    done();
  });
}
