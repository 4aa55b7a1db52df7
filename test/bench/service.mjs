import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openSession } from './floors/session.mjs';
import { floor, root } from './processes.mjs';
import { groups } from './project.mjs';

const GROUPS = 3000;
/** A measurement sends this many times the requests of the warm-up. */
const ROUNDS = 4;
const AT_ONCE = 8;
const PATH = '/settings/usergroups';

const NOTE =
  'a node:http server in one file that does the same durable work: the same SQLite with the same settings, a transaction for each write, a row of each request in a log that is committed ten times a second. It checks the token of the session, and nothing else.';

const EMBEDDED = [process.execPath, join(root, 'bundle/emulator/main.js'), '--quota', '1000000'];

/** What a request of each method is, from a group as the service takes it and of its GUID; each changes what it writes. */
const REQUESTS = {
  POST: (send, group) => send('POST', PATH, group),
  GET: (send, _, guid) => send('GET', `${PATH}/${guid}`),
  PUT: (send, group, guid, round) => send('PUT', `${PATH}/${guid}`, { ...group, description: `Round ${round}` }),
};

/**
 * @param {keyof typeof REQUESTS} method
 * @returns {import('./compare.mjs').Measurement}
 */
const requestsOf = (method) => ({
  name: `service-${method.toLowerCase()}`,
  title: `CPU of the embedded service for ${ROUNDS * GROUPS} ${method} of a group`,
  runs: 7,
  of: 'cpu',
  aim: 1.5,
  gate: 3,
  prepare: async () => ({
    subject: () => cpuOf(EMBEDDED, method),
    floors: [{ against: 'bare node:http and SQLite', note: NOTE, run: () => cpuOf(floor('service'), method) }],
    close: async () => undefined,
  }),
});

/**
 * What it costs that answers outlast a power cut: a temporary workspace, which is deleted at its end, does not wait for the disk.
 *
 * @type {import('./compare.mjs').Measurement}
 */
const kept = {
  name: 'service-kept',
  title: `time of ${ROUNDS * GROUPS} POST of a group to a workspace that is kept in a file`,
  runs: 5,
  prepare: async (folder) => ({
    subject: () => timeOf([...EMBEDDED, '--db', join(folder, `${randomUUID()}.db`)], 'POST', folder),
    floors: [
      { against: 'a temporary workspace', note: 'the same program', run: () => timeOf(EMBEDDED, 'POST', folder) },
    ],
    close: async () => undefined,
  }),
};

export const services = [requestsOf('POST'), requestsOf('GET'), requestsOf('PUT'), kept];

/** @type {(command: readonly string[], method: keyof typeof REQUESTS) => Promise<number>} */
const cpuOf = (command, method) => measure(command, method, async ({ cpu }) => (await cpu()) / 1000);

/** @type {(command: readonly string[], method: keyof typeof REQUESTS, folder: string) => Promise<number>} */
const timeOf = (command, method, folder) => measure(command, method, async () => performance.now(), { TMPDIR: folder });

/**
 * What a new server takes for requests of one method, after some of them had warmed it up, as `read` measures it.
 *
 * @param {readonly string[]} command
 * @param {keyof typeof REQUESTS} method
 * @param {(server: Awaited<ReturnType<typeof started>>) => Promise<number>} read
 * @param {Record<string, string>} [variables]
 */
async function measure(command, method, read, variables) {
  const server = await started(command, variables);
  const { ready, stop } = server;
  const { send, close } = await openSession(ready);
  try {
    const all = groups((1 + ROUNDS) * GROUPS);
    const guids = await atOnce(all.slice(0, GROUPS), (group) => REQUESTS.POST(send, group));
    const warm = all.slice(0, GROUPS).map((group, index) => [group, guids[index].guid]);
    if (method !== 'POST') await atOnce(warm, ([group, guid]) => REQUESTS[method](send, group, guid, 0));
    const before = await read(server);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const added = all.slice(round * GROUPS, (round + 1) * GROUPS).map((group) => [group]);
      await atOnce(method === 'POST' ? added : warm, ([group, guid]) => REQUESTS[method](send, group, guid, round));
    }
    return (await read(server)) - before;
  } finally {
    await close();
    await stop();
  }
}

/**
 * @template T, R
 * @param {readonly T[]} all
 * @param {(one: T) => Promise<R>} work
 */
async function atOnce(all, work) {
  /** @type {R[]} */
  const results = [];
  const entries = all.entries();
  const worker = async () => {
    for (const [index, one] of entries) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/**
 * @param {readonly string[]} command
 * @param {Record<string, string>} [variables]
 */
async function started([program, ...args], variables = {}) {
  const report = join(root, 'test/bench/floors/report-cpu.mjs');
  const child = spawn(program, ['--import', report, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...variables },
  });
  const ended = once(child, 'exit');
  const [line] = await once(createInterface(child.stdout), 'line');
  const cpu = async () => {
    child.send('cpu');
    return (await once(child, 'message'))[0];
  };
  const stop = async () => {
    child.disconnect();
    await ended;
  };
  return { ready: JSON.parse(line), cpu, stop };
}
