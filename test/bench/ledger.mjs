import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './processes.mjs';

const AT = '2026-01-01T00:00:00.000Z';
const OBJECTS = 500;
const MANY = 100_000;
const NOTE = `the same ledger after fewer applies, each to one of ${OBJECTS} objects; the first read of a process. 1 is independent of the history.`;

/** @type {import('./compare.mjs').Measurement} */
export const ledger = {
  name: 'ledger',
  title: `reading the ledger after ${MANY} applies`,
  runs: 5,
  async prepare(folder) {
    const many = await written(join(folder, 'many'), MANY);
    const fewer = await Promise.all([1000, 10].map((applies) => written(join(folder, String(applies)), applies)));
    return {
      subject: () => reading(many.place),
      floors: fewer.map(({ place, applies }) => ({
        against: `after ${applies}`,
        note: NOTE,
        run: () => reading(place),
      })),
      close: async () => undefined,
    };
  },
};

const load = (module) => import(pathToFileURL(join(root, 'dist/ledger', module)).href);

async function ledgerIn(place) {
  const { fileStore } = await load('file/file-store.js');
  const { storedLedger } = await load('stored-ledger.js');
  return storedLedger(fileStore(join(place, 'ledger'), 'h/1', async () => undefined));
}

/** Milliseconds. */
async function reading(place) {
  const ledger = await ledgerIn(place);
  const start = performance.now();
  await ledger.state();
  return performance.now() - start;
}

/** The journals of so many applies, and the snapshot that the last of them saves. */
async function written(place, applies) {
  const { chainRecords } = await load('chain.js');
  const folder = join(place, 'ledger', 'h_1');
  await mkdir(folder, { recursive: true });
  let previous;
  for (let number = 1; number < applies; number += 1) {
    const journal = `j${String(number).padStart(8, '0')}_20260101T000000000Z-n${number}.jsonl`;
    let chain = '';
    const lines = recordsOf(number, previous).map((record) => {
      const written = chainRecords([record], chain);
      chain = written.chain;
      return written.lines;
    });
    await writeFile(join(folder, journal), lines.join(''));
    previous = { journal, chain };
  }
  const last = await ledgerIn(place);
  await last.state();
  const journal = await last.begin({ format: 'dexsync-plan/1', stack: 's', nonce: 'last', steps: [] }, AT);
  await journal.append({ type: 'end', at: AT });
  await journal.close();
  return { place, applies };
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
