import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { atEnd } from './at-end.js';

/** What receives notifications, in the order in which they arrive. */
export interface Receiver<T> {
  readonly url: string;
  readonly got: readonly T[];
  /** Waits for the first one that is so, of all that ever arrived. */
  first(is: (one: T) => boolean): Promise<T>;
}

// biome-ignore lint/suspicious/noExplicitAny: what a program sent
type Body = any;

/** A webhook. `answer` may answer otherwise than with 200, or not at all. */
export async function webhook(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end('ok'),
): Promise<Receiver<Body>> {
  const arrived = arrivals<Body>();
  const server = createServer(async (request, response) => {
    arrived.add(JSON.parse(await text(request)));
    answer(response, request);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/T0/secret-of-hook`, ...arrived };
}

/** An SMTP server that lets one user in. */
export async function mailServer(user: string, password: string): Promise<Receiver<string>> {
  const arrived = arrivals<string>();
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (given, _, done) =>
      given.username === user && given.password === password ? done(null, { user }) : done(new Error('no')),
    onData: (stream, _, done) => {
      void text(stream).then((mail) => {
        arrived.add(mail);
        done();
      });
    },
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  atEnd(() => new Promise<void>((done) => server.close(done)));
  const { port } = server.server.address() as AddressInfo;
  return { url: `127.0.0.1:${port}`, ...arrived };
}

function arrivals<T>() {
  const got: T[] = [];
  const listeners = new Set<() => void>();
  return {
    got,
    add(one: T) {
      got.push(one);
      for (const listener of [...listeners]) listener();
    },
    first: (is: (one: T) => boolean): Promise<T> =>
      new Promise((done) => {
        const look = (): void => {
          const found = got.find(is);
          if (found === undefined) return;
          listeners.delete(look);
          done(found);
        };
        listeners.add(look);
        look();
      }),
  };
}
