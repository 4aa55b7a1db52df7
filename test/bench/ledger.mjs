import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './processes.mjs';

const AT = '2026-01-01T00:00:00.000Z';
const OBJECTS = 500;
const MANY = 100_000;
const NOTE = `the same ledger after fewer applies, each to one of ${OBJECTS} objects; the first read of a process. 1 is independent of the history.`;

/**
 * Reading a ledger on a machine that has nothing of it yet, by the number of applies that it has.
 * @param {string} name
 * @param {string} where
 * @param {(folder: string) => Promise<() => Promise<object>>} placeIn a new place, and how a machine opens it
 * @returns {import('./compare.mjs').Measurement}
 */
const measurement = (name, where, placeIn) => ({
  name,
  title: `reading a ledger in ${where} after ${MANY} applies`,
  runs: 5,
  async prepare(folder) {
    const written = [];
    for (const applies of [MANY, 1000, 10]) {
      const own = join(folder, String(applies));
      await mkdir(own, { recursive: true });
      const open = await placeIn(own);
      await write(open, applies);
      written.push({ open, applies });
    }
    const [many, ...fewer] = written;
    return {
      subject: () => reading(many.open),
      floors: fewer.map(({ open, applies }) => ({ against: `after ${applies}`, note: NOTE, run: () => reading(open) })),
      close: async () => undefined,
    };
  },
});

const load = (module) => import(pathToFileURL(join(root, 'dist/ledger', module)).href);
const timing = { clock: () => new Date(), nonce: randomUUID };

export const ledger = measurement('ledger', 'files', async (folder) => async () => {
  const { fileBackend } = await load('file/file-backend.js');
  return fileBackend({ folder: join(folder, 'ledger'), data: folder, ...timing });
});

/** Each reading is that of a new clone: everything that is needed is fetched. */
export const ledgerInGit = measurement('ledger-git', 'a git branch, from a new clone,', async (folder) => {
  const remote = join(folder, 'forge.git');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  return async () => {
    const { gitBackend } = await load('git/git-backend.js');
    const data = await mkdtemp(join(folder, 'clone-'));
    const given = { remote, branch: 'dexsync-ledger', project: folder, data, variables: process.env };
    return gitBackend({ ...given, ...timing });
  };
});

/** In the database that DEXSYNC_TEST_POSTGRES names. */
export const ledgerInPostgres = measurement('ledger-postgres', 'PostgreSQL', async () => {
  const url = process.env.DEXSYNC_TEST_POSTGRES;
  if (url === undefined) throw new Error('Set DEXSYNC_TEST_POSTGRES to the URL of a PostgreSQL database.');
  const identity = `bench/${randomUUID()}`;
  return async () => {
    const { postgresBackend } = await load('postgres/postgres-backend.js');
    const backend = postgresBackend(url, timing);
    return { ...backend, journals: (_, mayWrite) => backend.journals(identity, mayWrite) };
  };
});

const ledgerOf = async (backend) => {
  const { storedLedger } = await load('stored-ledger.js');
  return storedLedger(backend.journals('h/1', async () => undefined));
};

/** Milliseconds. */
async function reading(open) {
  const backend = await open();
  const start = performance.now();
  await (await ledgerOf(backend)).state();
  const took = performance.now() - start;
  await backend.close();
  return took;
}

/** Writes the journals of that many applies, and the snapshot that the last of them saves. */
async function write(open, applies) {
  const { firstLines } = await load('chain.js');
  const backend = await open();
  const store = backend.journals('h/1', async () => undefined);
  let previous;
  let batch = [];
  for (let number = 1; number < applies; number += 1) {
    const name = `j${String(number).padStart(8, '0')}_20260101T000000000Z-n${number}.jsonl`;
    const end = { chain: '', size: 0 };
    batch.push({ name, text: [...firstLines(recordsOf(number, previous), end)].join('') });
    previous = { journal: name, chain: end.chain };
    if (batch.length === 5000 || number === applies - 1) {
      await store.putWhole(batch);
      if (number < applies - 1) await store.putAside(batch.map((one) => one.name));
      batch = [];
    }
  }
  const last = await ledgerOf(backend);
  await last.state();
  const journal = await last.begin({ format: 'dexsync-plan/1', stack: 's', nonce: 'last', steps: [] }, AT);
  await journal.append({ type: 'end', at: AT });
  await journal.close();
  await backend.close();
}

function recordsOf(number, previous) {
  const address = `UserGroup/G${number % OBJECTS}`;
  const identity = `i${number % OBJECTS}`;
  const object = {
    stack: 's',
    how: 'created',
    applied: { description: `Version ${number}` },
    protect: false,
    identity,
  };
  return [
    { type: 'plan', at: AT, ...(previous === undefined ? {} : { previous }), plan: { nonce: `n${number}`, steps: [] } },
    { type: 'intent', at: AT, address, write: 0 },
    { type: 'outcome', at: AT, address, write: 0 },
    { type: 'object', at: AT, address, object },
    { type: 'end', at: AT },
  ];
}
