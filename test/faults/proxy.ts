import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** Where in the exchange of one request the fault strikes: before the service saw it, or after it was done. */
export type Moment = 'before' | 'after';

export interface Fault {
  /** Counts from 1, login included. */
  readonly request: number;
  readonly moment: Moment;
  /** What happens then; the connection is cut afterwards. */
  readonly strike: () => void;
}

/** Stands between dexsync and the service, and strikes once. Gives its address and how many requests it saw. */
export async function faultyProxy(target: string, fault?: Fault): Promise<{ url: string; count(): number }> {
  let count = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    const struck = fault?.request === count ? fault : undefined;
    if (struck?.moment === 'before') return cut(struck, response);
    // A client that was killed while it sent never says the rest.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const answer = await passOn(target, request, body);
    if (struck?.moment === 'after') return cut(struck, response);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count };
}

function cut({ strike }: Fault, response: ServerResponse): void {
  strike();
  response.destroy();
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function passOn(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((done, failed) => {
    const options = { method, headers: { ...headers, host: new URL(target).host } };
    const outgoing = forward(new URL(url ?? '/', target), options, async (incoming) => {
      done({ status: incoming.statusCode ?? 502, headers: incoming.headers, body: await buffer(incoming) });
    });
    outgoing.once('error', failed);
    outgoing.end(body);
  });
}
