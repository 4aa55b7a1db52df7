import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { dexsync, inNewWorkspace, startWorkspace } from './processes.mjs';
import { groupProject } from './project.mjs';

const GROUPS = 1000;
const LATENCY_MS = 100;
const AT_ONCE = 8;

const NOTE = `\`apply --parallelism ${AT_ONCE}\`, which sends as many at once however fast the service answers. Each byte of the service arrives ${LATENCY_MS} ms late, so that more at once cost it nothing.`;

/** @type {import('./compare.mjs').Measurement} */
export const latency = {
  name: 'latency',
  title: `apply of ${GROUPS} creates, each answered after ${LATENCY_MS} ms`,
  runs: 3,
  gate: 0.5,
  async prepare(folder) {
    await groupProject(folder, GROUPS);
    const done = `${GROUPS} done.\nRequests: ${GROUPS + 1} used`;
    const applying = (options) => async () => {
      await rm(join(folder, '.dexsync'), { recursive: true, force: true });
      return inNewWorkspace(folder, () => dexsync('apply', '--yes', ...options), done, startFarWorkspace);
    };
    return {
      subject: applying([]),
      floors: [
        {
          against: `${AT_ONCE} at a time`,
          note: NOTE,
          run: applying(['--parallelism', String(AT_ONCE)]),
        },
      ],
      close: async () => undefined,
    };
  },
};

async function startFarWorkspace() {
  const { stop, variables, url, ...rest } = await startWorkspace();
  const far = await startDelay(Number(new URL(url).port), LATENCY_MS);
  const stopBoth = async () => {
    far.close();
    await stop();
  };
  return { ...rest, url: far.url, variables: { ...variables, DEXSYNC_BENCH_URL: far.url }, stop: stopBoth };
}

/**
 * Passes everything on to a port of this machine; what comes back is late.
 *
 * @param {number} port
 * @param {number} late In milliseconds.
 */
export async function startDelay(port, late) {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.on('error', () => far.destroy()).pipe(far);
    far
      .on('data', (bytes) => setTimeout(() => near.write(bytes), late))
      .on('error', () => near.destroy())
      .on('close', () => setTimeout(() => near.end(), late));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${own}`, close: () => server.close() };
}
