import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { dexsync, floor } from './processes.mjs';

const ENVIRONMENTS = 500;
const PEOPLE = 200;
/** How often each of them opens the first screen, and over how many milliseconds they begin. */
const VISITS = 2;
const SPREAD_MS = 2000;

const NOTE = `Fastify that sends the same ${ENVIRONMENTS} rows as one text, without a login. ${PEOPLE} people open the page ${VISITS} times each, and begin within ${SPREAD_MS / 1000} s.`;

/** @type {readonly import('./compare.mjs').Measurement[]} */
export const pages = [
  pageOf('page', 'the slowest of a hundred people at the first screen', 'time', ({ slowest }) => slowest, 2),
  pageOf('page-memory', 'memory of the server of the first screen', 'memory', ({ kilobytes }) => kilobytes, 3),
];

/**
 * @param {string} name
 * @param {string} title
 * @param {'time' | 'memory'} of
 * @param {(visited: { slowest: number, kilobytes: number }) => number} read
 * @param {number} aim
 * @returns {import('./compare.mjs').Measurement}
 */
function pageOf(name, title, of, read, aim) {
  return {
    ...{ name, title: `${title}, for a fleet of ${ENVIRONMENTS} and ${PEOPLE} people`, runs: 3, of, aim },
    async prepare(folder) {
      await writeFile(join(folder, 'sites.csv'), `Code\n${Array.from({ length: ENVIRONMENTS }, codeOf).join('')}`);
      await writeFile(join(folder, 'sync.config.yaml'), CONFIG);
      const state = { XDG_STATE_HOME: join(folder, 'state') };
      const subject = async () => {
        const server = await started(dexsync('serve', '--json', '--port', '0'), folder, state);
        return server.visit(read);
      };
      const text = join(folder, 'page.html');
      const first = await started(dexsync('serve', '--json', '--port', '0'), folder, state);
      await writeFile(text, await first.page());
      await first.stop();
      const run = async () => (await started(floor('page', { text }), folder)).visit(read);
      return { subject, floors: [{ against: 'bare Fastify', note: NOTE, run }], close: async () => undefined };
    },
  };
}

/** @param {unknown} _ @param {number} index */
const codeOf = (_, index) => `${String(index + 1).padStart(3, '0')}\n`;

const CONFIG = `stack: bench
manifests: [manifests]
environments:
  block:
    from: sites.csv
    name: site-\${row.Code}
    url: https://plm-\${row.Code}.example.com/v1
    credentials: { email: "sync-\${row.Code}@example.com", workspaceId: "\${row.Code}", passwordCommand: "false" }
`;

/**
 * Starts a server that prints where it is, and logs in there.
 *
 * @param {readonly string[]} command
 * @param {string} cwd
 * @param {Record<string, string>} [variables]
 */
async function started([program, ...args], cwd, variables = {}) {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...variables },
  });
  const ended = once(child, 'exit');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url } = JSON.parse(line);
  const answer = await fetch(url, { redirect: 'manual' });
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  const page = async () => {
    const { status, ...body } = await fetchText(new URL('/', url), cookie);
    if (status !== 200 || !body.text.includes('site-500')) throw new Error(`The page answered ${status}.`);
    return body.text;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  /** @param {(visited: { slowest: number, kilobytes: number }) => number} read */
  const visit = async (read) => {
    await page();
    const times = (await Promise.all(Array.from({ length: PEOPLE }, (_, person) => visits(person, page)))).flat();
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    const kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]);
    await stop();
    const slowest = times.sort((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? 0;
    return read({ slowest, kilobytes });
  };
  return { page, stop, visit };
}

/** @param {URL} url @param {string} cookie */
async function fetchText(url, cookie) {
  const answer = await fetch(url, { headers: { cookie } });
  return { status: answer.status, text: await answer.text() };
}

/**
 * What a person waits for, in milliseconds.
 *
 * @param {number} person
 * @param {() => Promise<string>} page
 */
async function visits(person, page) {
  const times = [];
  await sleep((person / PEOPLE) * SPREAD_MS);
  for (let visit = 0; visit < VISITS; visit += 1) {
    const begin = performance.now();
    await page();
    times.push(performance.now() - begin);
    await sleep(SPREAD_MS);
  }
  return times;
}
