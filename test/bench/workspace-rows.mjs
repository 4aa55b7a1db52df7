import { setTimeout as sleep } from 'node:timers/promises';
import { floor, printed, startWorkspace } from './processes.mjs';
import { itemRows, lineRows, ROWS } from './rows.mjs';

const NOTE =
  'a script that inserts the same rows into the same tables with the same indexes, one prepared statement in one transaction, through the same SQLite driver. It reads no CSV, checks nothing and writes no reports. Both are timed without their start, dexsync from the upload to COMPLETE.';

/** @type {import('./compare.mjs').Measurement} */
export const specRows = measurement('ITEM_SPECS', async (run) => run('ITEM_SPECS', itemRows(ROWS)));

/** @type {import('./compare.mjs').Measurement} */
export const bomRows = measurement('ITEM_BOM', async (run) => {
  await run('ITEM_SPECS', itemRows(ROWS + 2000));
  return run('ITEM_BOM', lineRows(ROWS));
});

/**
 * @param {string} resource
 * @param {(run: (resource: string, csv: string) => Promise<number>) => Promise<number>} work
 * @returns {import('./compare.mjs').Measurement}
 */
function measurement(resource, work) {
  return {
    name: 'rows',
    title: `${ROWS} rows of ${resource}`,
    runs: 3,
    aim: 4,
    async prepare(folder) {
      return {
        subject: () => inNewWorkspace(work),
        floors: [
          {
            against: 'plain inserts',
            note: NOTE,
            run: async () => Number(await printed(floor('rows', { resource, rows: ROWS }), folder)),
          },
        ],
        close: async () => undefined,
      };
    },
  };
}

/** @param {(run: (resource: string, csv: string) => Promise<number>) => Promise<number>} work */
async function inNewWorkspace(work) {
  const workspace = await startWorkspace();
  try {
    const session = await login(workspace);
    return await work((resource, csv) => timedRun(session, resource, csv));
  } finally {
    await workspace.stop();
  }
}

/** @param {import('./processes.mjs').Ready} ready */
async function login({ url, email, password }) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/login`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
  const { sessionId } = await answer.json();
  return { url, headers: { 'Service-Session-Id': sessionId } };
}

/**
 * Imports and commits the rows; gives its milliseconds from the upload to the end.
 *
 * @param {{ url: string, headers: Record<string, string> }} session
 * @param {string} resource
 * @param {string} csv
 */
async function timedRun({ url, headers }, resource, csv) {
  const definition = await fetch(`${url}/imports`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: resource, resource, mode: 'CREATE', options: {} }),
  });
  const { guid } = await definition.json();
  const form = new FormData();
  form.set('commit', 'true');
  form.set('submitContent', new Blob([csv]), 'rows.csv');
  const begin = performance.now();
  const posted = await fetch(`${url}/imports/${guid}/runs`, { method: 'POST', headers, body: form });
  let run = await posted.json();
  while (run.status === 'CREATED' || run.status === 'RUNNING') {
    await sleep(20);
    run = await (await fetch(`${url}/imports/${guid}/runs/${run.guid}`, { headers })).json();
  }
  const milliseconds = performance.now() - begin;
  if (run.errorCount !== 0) throw new Error(`${run.status}: ${run.successCount} good, ${run.errorCount} failed.`);
  return milliseconds;
}
