import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from './at-end.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Listens until the test has ended, and gives the address. */
export async function startProxy(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<string> {
  const server = createServer(handle);
  // It closes no connection by itself: a busy machine would have it do so while a request is on its way.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The same request to the service itself. */
export function passOn(
  target: string,
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Answer> {
  return new Promise((done, failed) => {
    const options = { method, headers: { ...headers, host: new URL(target).host } };
    const outgoing = forward(new URL(path, target), options, async (incoming) =>
      done({ status: incoming.statusCode ?? 502, headers: incoming.headers, body: await buffer(incoming) }),
    );
    outgoing.once('error', failed);
    outgoing.end(body);
  });
}
