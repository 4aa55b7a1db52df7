import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { atEnd } from './at-end.js';

/** A connection that breaks at one statement. `before`: the server never sees it; `after`: it does all of it, and its answer is lost. */
export interface CuttingProxy {
  readonly port: number;
  /** Statements that were sent since the proxy was armed. */
  count(): number;
  /** `act` is all that happens then, where it is given, before the connection breaks. */
  arm(at?: { readonly statement: number; readonly when: 'before' | 'after'; readonly act?: () => void }): void;
}

/** How a client of PostgreSQL ends what it sends at once: the message Sync of the extended protocol, or a simple Query. */
const isStatement = (data: Buffer): boolean => data.includes(Buffer.from([0x53, 0, 0, 0, 4])) || data[0] === 0x51;

/** Stands between `pg` and a server. */
export async function cuttingProxy(
  target: { readonly path: string } | { readonly port: number; readonly host: string },
): Promise<CuttingProxy> {
  let seen = 0;
  let striking: Parameters<CuttingProxy['arm']>[0];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    let cut: (() => void) | undefined;
    client.on('data', (data) => {
      if (isStatement(data)) seen += 1;
      const strike = isStatement(data) && seen === striking?.statement ? striking : undefined;
      if (strike !== undefined) {
        striking = undefined;
        cut = () => {
          strike.act?.();
          client.destroy();
        };
      }
      if (strike?.when === 'before') cut?.();
      else upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (cut === undefined) client.write(data);
      else cut();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    count: () => seen,
    arm(at) {
      seen = 0;
      striking = at;
    },
  };
}
