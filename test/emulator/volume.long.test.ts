import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { scaled } from '../harness/sample.js';
import { Session } from '../harness/session.js';
import { startWorkspace } from '../harness/start-workspace.js';

/** The large number is a size seen in the field (wire-facts 4, "Size limits"). */
const ROWS = scaled(134_881, 30_001);
const FAULTY = 500;

const numberOf = (n: number): string => `V-${String(n).padStart(7, '0')}`;

/** Every five-hundredth row lacks its name. */
function itemRows(): string {
  const lines = ['number,name,description,uom,standardCost'];
  for (let n = 1; n <= ROWS; n += 1) {
    lines.push(`${numberOf(n)},${n % FAULTY === 0 ? '' : `Part ${n}`},Description of part ${n},each,${n % 97}`);
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** The most memory that a process ever had, in MiB; undefined where the system does not report it. */
function peakOf(pid: number | undefined): number | undefined {
  const path = `/proc/${pid}/status`;
  const line = existsSync(path) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(path, 'utf8')) : null;
  return line === null ? undefined : Number(line[1]) / 1024;
}

test('a large file in one run: counts grow while it runs, requests are answered meanwhile, memory stays small', async () => {
  const workspace = await startWorkspace();
  onTestFinished(async () => void (await workspace.stop()));
  const session = await Session.open(workspace);
  const before = peakOf(workspace.process.pid);
  const content = itemRows();
  const path = await session.submit(await session.define('ITEM_SPECS', 'CREATE'), content, { commit: 'true' });
  const counts: number[] = [];
  const waits: number[] = [];
  let run = await session.get(path);
  while (run.status === 'CREATED' || run.status === 'RUNNING') {
    if (run.status === 'RUNNING') counts.push(run.successCount);
    expect(run.totalCount).toBeLessThanOrEqual(ROWS);
    const asked = performance.now();
    const { count } = await session.get('/items?number=DX-0001');
    waits.push(performance.now() - asked);
    expect(count).toBe(1);
    await sleep(50);
    run = await session.get(path);
  }
  const failed = Math.floor(ROWS / FAULTY);
  expect(run).toMatchObject({
    status: 'COMPLETE',
    commit: true,
    totalCount: ROWS,
    successCount: ROWS - failed,
    errorCount: failed,
  });
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(new Set(counts).size).toBeGreaterThanOrEqual(3);
  expect(Math.max(...waits)).toBeLessThan(5000);
  const errors = await session.errors(path);
  expect(errors).toHaveLength(failed);
  expect(errors.at(-1)).toMatch(new RegExp(`^${failed * FAULTY + 1},${numberOf(failed * FAULTY)},Error,3001,`));
  expect(await session.items(numberOf(ROWS))).toMatchObject([{ name: `Part ${ROWS}` }]);
  const after = peakOf(workspace.process.pid);
  if (before !== undefined && after !== undefined) expect(after - before).toBeLessThan(300);
});
