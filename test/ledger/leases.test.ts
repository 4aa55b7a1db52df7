import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DexsyncError } from '#base/errors.js';
import { ownProcess, processFate } from '#base/files/process-facts.js';
import { fileLeases } from '#ledger/file/file-leases.js';
import { leaseFolder } from '#ledger/file/lease-on-disk.js';
import type { Claim, Holder, Lease, Leases } from '#ledger/lease.js';

const claim: Claim = {
  service: 'plm.example.com:443',
  login: 'ann@example.com',
  environment: 'prod',
  command: 'dexsync apply',
};

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'dexsync-leases-'));
  onTestFinished(async () => rm(made, { recursive: true, force: true }));
  return made;
}

let nonces = 0;
const leasesIn = (root: string, over: Partial<Parameters<typeof fileLeases>[0]> = {}): Leases =>
  fileLeases({ root, clock: () => new Date(), nonce: () => `n${nonces++}`, ...over });

async function taken(leases: Leases, over: Partial<Claim> = {}): Promise<Lease> {
  const result = await leases.take({ ...claim, ...over });
  if (result.is === 'held') throw new Error('held');
  onTestFinished(() => result.lease.release());
  return result.lease;
}

/** Puts a lease there as another process would have left it. */
async function left(root: string, over: Partial<Holder>, beatAgo = 0): Promise<string> {
  const at = leaseFolder(root, claim);
  const holder = { ...claim, ...(await ownProcess()), token: 'left', startedAt: new Date(0).toISOString() };
  const place = join(at, 'left.json');
  await mkdir(at, { recursive: true });
  await writeFile(place, JSON.stringify({ ...holder, lifetime: 60_000, ...over }));
  const beat = new Date(Date.now() - beatAgo);
  await utimes(place, beat, beat);
  return place;
}

/** The number of a process that is certainly gone. */
async function goneProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'close');
  return child.pid as number;
}

const failure = (work: Promise<unknown>): Promise<DexsyncError> =>
  work.then(
    () => Promise.reject(new Error('no failure')),
    (error: DexsyncError) => error,
  );

const files = async (root: string): Promise<string[]> =>
  (await readdir(join(root, 'leases'), { recursive: true })).filter((name) => name.endsWith('.json'));

describe('taking a lease', () => {
  test('shows its holder to the next one, and is undone by its release', async () => {
    const root = await folder();
    const lease = await taken(leasesIn(root), { reason: 'release 12' });
    const next = await leasesIn(root).take({ ...claim, command: 'dexsync plan' });
    expect(next).toMatchObject({
      is: 'held',
      by: { state: 'held', holder: { ...claim, reason: 'release 12', pid: process.pid, lifetime: 60_000 } },
    });
    await lease.check();
    await lease.release();
    expect(await leasesIn(root).find(claim)).toBeUndefined();
    expect(await readdir(join(root, 'leases'), { recursive: true })).toEqual(['plm.example.com%3A443']);
    await taken(leasesIn(root));
  });

  test.each([
    ['free', undefined],
    ['of a dead process', async (root: string) => left(root, { pid: await goneProcess() })],
    ['of a silent process elsewhere', (root: string) => left(root, { host: 'elsewhere' }, 61_000)],
  ])('succeeds for exactly one of 40 at once if it is %s', async (_, before) => {
    for (let round = 0; round < 5; round += 1) {
      const root = await folder();
      await before?.(root);
      const all = await Promise.all(Array.from({ length: 40 }, () => leasesIn(root).take(claim)));
      const won = all.filter((one) => one.is === 'taken');
      expect(won).toHaveLength(1);
      expect(await files(root)).toHaveLength(1);
      await won[0]?.lease.check();
      await won[0]?.lease.release();
    }
  });

  test('does not block other services and logins; the case of a login does not count', async () => {
    const root = await folder();
    const leases = leasesIn(root);
    const logins = ['a+b@x', 'a_b@x', 'a%2Bb@x', '..', '', '*', '/', 'x'.repeat(300), `${'x'.repeat(299)}y`];
    for (const login of logins) await taken(leases, { login });
    for (const service of ['plm.example.com:8443', 'embedded/local.db', '..']) await taken(leases, { service });
    expect((await leases.take({ ...claim, login: 'A+B@X' })).is).toBe('held');
    expect((await leases.list(claim.service)).length).toBe(logins.length);
    expect(await leases.list('nowhere')).toEqual([]);
  });
});

describe('the holder of a lease', () => {
  const cases: [who: string, over: Partial<Holder>, beatAgo: number, state: string][] = [
    ['a process of this host that runs', {}, 0, 'held'],
    ['one that runs but was silent for long: suspended', {}, 3_600_000, 'held'],
    ['a later process of the same number', { born: '1' }, 0, 'dead'],
    ['one of another host that was alive just now', { host: 'elsewhere', pid: 1 }, 59_000, 'held'],
    ['one of another host that was silent for its lifetime', { host: 'elsewhere' }, 61_000, 'expired'],
    ['one of another host with a longer lifetime', { host: 'elsewhere', lifetime: 120_000 }, 61_000, 'held'],
    ['one of another container of the same name', { machine: 'other', pid: 999_999_999 }, 0, 'held'],
    ['one of another container that was silent', { machine: 'other' }, 61_000, 'expired'],
  ];
  test.runIf(process.platform === 'linux').each(cases)('%s', async (_, over, beatAgo, state) => {
    const root = await folder();
    await left(root, over, beatAgo);
    expect(await leasesIn(root).find(claim)).toMatchObject({ state });
    expect((await leasesIn(root).take(claim)).is).toBe(state === 'held' ? 'held' : 'taken');
  });

  test('is judged by its silence where its start is unknown', async () => {
    const own = await ownProcess();
    const { born: _, ...unborn } = own;
    expect(await processFate(unborn, own)).toBe('unknown');
    expect(await processFate({ ...unborn, pid: await goneProcess() }, own)).toBe('gone');
  });

  test.runIf(process.platform === 'linux')('is gone once it ended, even if nobody waited for it', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const own = await ownProcess();
    await expect.poll(async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z ')).toBe(true);
    const born = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') Z ')[1]?.split(' ')[18] as string;
    expect(await processFate({ ...own, pid, born }, own)).toBe('gone');
  });

  test('is dated on other hosts by the clock of the disk, not by that of this process', async () => {
    const root = await folder();
    await left(root, { host: 'elsewhere' }, 1000);
    const anHourFast = leasesIn(root, { clock: () => new Date(Date.now() + 3_600_000) });
    expect(await anHourFast.find(claim)).toMatchObject({ state: 'held' });
  });
});

describe('holding a lease', () => {
  test('keeps the heartbeat going by itself', async () => {
    const root = await folder();
    await taken(leasesIn(root, { beatEvery: 10 }));
    const [name = ''] = await files(root);
    const place = join(root, 'leases', name);
    const content = await readFile(place, 'utf8');
    await utimes(place, new Date(0), new Date(0));
    await expect.poll(async () => (await stat(place)).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
    expect(await readFile(place, 'utf8')).toBe(content);
  });

  test('renews it after a long pause before a check succeeds', async () => {
    const root = await folder();
    let late = 0;
    const lease = await taken(leasesIn(root, { clock: () => new Date(Date.now() + late) }));
    const [name = ''] = await files(root);
    const place = join(root, 'leases', name);
    await utimes(place, new Date(0), new Date(0));
    await lease.check();
    expect((await stat(place)).mtimeMs).toBe(0);
    late = 31_000;
    await lease.check();
    expect((await stat(place)).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });

  test('ends when it was removed, and its heartbeat does not bring it back', async () => {
    const root = await folder();
    const leases = leasesIn(root, { beatEvery: 5 });
    const lease = await taken(leases);
    const [found] = await leases.list(claim.service);
    await leases.remove(found?.place ?? '');
    const { code, exitCode, message } = await failure(lease.check());
    expect([code, exitCode, message]).toEqual([
      'LEASE_LOST',
      7,
      'The lock on environment prod was lost: its file was removed.',
    ]);
    await new Promise((done) => setTimeout(done, 50));
    expect(await files(root)).toEqual([]);
    const next = await taken(leases);
    expect((await failure(lease.check())).message).toMatch(
      /^The lock on environment prod was lost: it was taken by "dexsync apply" of .+ on .+ \(process \d+\), since \d\d:\d\d \(less than a second\); last seen less than a second ago\.$/,
    );
    await lease.release();
    await next.check();
  });
});

describe('an invalid lease', () => {
  test.each(['', '{', 'null', '[]', '{"pid":1}'])('in a file with %j is refused by name', async (content) => {
    const root = await folder();
    const place = await left(root, {});
    await writeFile(place, content);
    const leases = leasesIn(root);
    const { code, exitCode, message, hint } = await failure(leases.take(claim));
    expect([code, exitCode, message]).toEqual(['LEASE_DAMAGED', 1, `The lock ${place} cannot be read.`]);
    expect(hint).toContain('remove it with `dexsync lock release --force`');
    expect((await failure(leases.find(claim))).code).toBe('LEASE_DAMAGED');
    const [shown] = await leases.list(claim.service);
    expect(shown).toEqual({ state: 'damaged', place: dirname(place) });
    await leases.remove(dirname(place));
    await taken(leases);
  });

  test.each<[string, Partial<Record<keyof Holder, unknown>>]>([
    ['no process', { pid: 0 }],
    ['a process that is text', { pid: '1' }],
    ['no time', { startedAt: 'soon' }],
    ['no lifetime', { lifetime: 0 }],
    ['a reason other than a text', { reason: 1 }],
  ])('%s', async (_, over) => {
    const root = await folder();
    await left(root, over as Partial<Holder>);
    expect((await failure(leasesIn(root).find(claim))).code).toBe('LEASE_DAMAGED');
  });

  test('in foreign files and folders is refused, and never makes anybody wait', async () => {
    const root = await folder();
    const at = leaseFolder(root, claim);
    await mkdir(at, { recursive: true });
    await writeFile(join(at, 'notes.txt'), '');
    expect((await failure(leasesIn(root).take(claim))).message).toContain(at);
    await rm(at, { recursive: true });
    await mkdir(join(at, 'x.json'), { recursive: true });
    expect((await failure(leasesIn(root).take(claim))).code).toBe('DISK');
    await rm(at, { recursive: true });
    await writeFile(at, '');
    expect((await failure(leasesIn(root).take(claim))).code).toBe('DISK');
  });

  test('is free in an empty folder, and half-created ones of killed processes are removed after an hour', async () => {
    const root = await folder();
    const at = leaseFolder(root, claim);
    await mkdir(at, { recursive: true });
    for (const name of ['.new-old', '.new-young']) await mkdir(join(dirname(at), name, 'x'), { recursive: true });
    const old = new Date(Date.now() - 3_700_000);
    await utimes(join(dirname(at), '.new-old'), old, old);
    await taken(leasesIn(root));
    expect((await readdir(dirname(at))).sort()).toEqual(['.new-young', 'login-ann%40example.com']);
  });
});

/** Takes the lease again and again, and notes when it had it. */
const WORKER = `
import { appendFileSync } from 'node:fs';
import { fileLeases } from ${JSON.stringify(join(process.cwd(), 'dist/ledger/file/file-leases.js'))};
import { randomUUID } from 'node:crypto';
const [root, log, rounds] = process.argv.slice(1);
const leases = fileLeases({ root, clock: () => new Date(), nonce: randomUUID });
for (let done = 0; done < Number(rounds); ) {
  const got = await leases.take(${JSON.stringify(claim)});
  if (got.is === 'held') continue;
  appendFileSync(log, 'in ' + process.pid + '\\n');
  await got.lease.check();
  await new Promise((wait) => setTimeout(wait, 2));
  appendFileSync(log, 'out ' + process.pid + '\\n');
  done += 1;
  if (process.env.DIE === 'yes' && done === 3) process.kill(process.pid, 'SIGKILL');
  await got.lease.release();
}`;

test('concurrent processes hold it one after another, also where some are killed while they hold it', async () => {
  const root = await folder();
  const log = join(root, 'log');
  const start = (DIE: string): Promise<unknown> => {
    const args = ['--input-type=module', '-e', WORKER, root, log, '8'];
    return once(spawn(process.execPath, args, { env: { ...process.env, DIE }, stdio: 'inherit' }), 'close');
  };
  const ended = await Promise.all([start('no'), start('yes'), start('no'), start('yes')]);
  expect(ended).toEqual([
    [0, null],
    [null, 'SIGKILL'],
    [0, null],
    [null, 'SIGKILL'],
  ]);
  const lines = (await readFile(log, 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(2 * (8 + 3 + 8 + 3));
  for (let index = 0; index < lines.length; index += 2) {
    expect(lines[index + 1]).toBe(lines[index]?.replace('in', 'out'));
  }
  // A killed one may have been the last.
  await taken(leasesIn(root));
});
