import fastify from 'fastify';
import { DexsyncError } from '#base/errors.js';
import type { Health, HealthAnswer } from './health.js';
import type { Metrics } from './metrics.js';

/** A server that only this machine can reach. */
export interface Monitor {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics`, `/healthz` and `/readyz` at 127.0.0.1; port 0 means any free one. Throws USAGE if the port cannot
 * be used.
 */
export async function serveMonitor(port: number, metrics: Metrics, health: Health): Promise<Monitor> {
  const server = fastify({ forceCloseConnections: true });
  server.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  server.get('/healthz', async (_, reply) => probe(health.alive(), reply));
  server.get('/readyz', async (_, reply) => probe(health.ready(), reply));
  try {
    return { url: await server.listen({ port, host: '127.0.0.1' }), close: () => server.close() };
  } catch (cause) {
    throw portRefused(port, '127.0.0.1', cause);
  }
}

/** The part of fastify's reply that a probe needs. */
interface Reply {
  code(status: number): { send(body: unknown): unknown };
}

const probe = (answer: HealthAnswer, reply: Reply): unknown => reply.code(answer.ok ? 200 : 503).send(answer);

/** USAGE */
export function portRefused(port: number, host: string, cause: unknown): DexsyncError {
  const { code } = cause as NodeJS.ErrnoException;
  const why =
    code === 'EADDRINUSE'
      ? 'another program uses it'
      : code === 'EACCES'
        ? 'access is denied'
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? 'this machine has no such address'
          : String(code);
  return new DexsyncError('USAGE', `Port ${port} of ${host} cannot be used: ${why}.`, {
    hint: 'Give another `--port`; 0 takes any free one.',
    cause,
  });
}
