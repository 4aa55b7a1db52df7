import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '#base/sqlite/sqlite.js';
import { readArguments } from '#emulator/arguments.js';
import { openHosted } from '../harness/hosted-workspace.js';
import { Session, send } from '../harness/session.js';
import { entry, runToEnd, startWorkspace, temporaryFolder } from '../harness/start-workspace.js';

describe('the ready line', () => {
  test('has exactly the fields of design.md 2, and its user can log in', async () => {
    const workspace = await startWorkspace();
    onTestFinished(() => void workspace.stop());
    const { process: _, stop: __, stderr, ...ready } = workspace;
    expect(Object.keys(ready)).toEqual(['url', 'dialect', 'workspaceId', 'email', 'password']);
    expect(ready).toMatchObject({ dialect: 'reference', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    expect(String(ready.workspaceId)).toMatch(/^\d{9}$/);
    const { status } = await send(ready.url, 'POST', '/login', { email: ready.email, password: ready.password });
    expect(status).toBe(200);
    expect(stderr()).toBe('');
  });
});

describe('access to the process', () => {
  test('needs a new password at each start, unless one is given', async () => {
    const db = join(temporaryFolder(), 'w.db');
    const first = await startWorkspace('--db', db);
    expect(first.password).toMatch(/^[\w-]{24}$/);
    await first.stop();
    const second = await startWorkspace('--db', db, '--password', 'chosen by hand');
    onTestFinished(() => void second.stop());
    expect(second.password).toBe('chosen by hand');
    const logIn = (password: string) => send(second.url, 'POST', '/login', { email: second.email, password });
    expect([(await logIn(first.password)).status, (await logIn('chosen by hand')).status]).toEqual([400, 200]);
  });

  test('is refused to a page that was reached by another name', async () => {
    const workspace = await startWorkspace();
    onTestFinished(() => void workspace.stop());
    const { port } = new URL(workspace.url);
    const status = (host: string) =>
      new Promise((done, failed) => {
        const asked = request({ host: '127.0.0.1', port, path: '/openapi.json', headers: { host } }, (answer) => {
          answer.resume();
          done(answer.statusCode);
        });
        asked.on('error', failed).end();
      });
    const hosts = ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'localhost@evil.example'];
    expect(await Promise.all(hosts.map(status))).toEqual([403, 403, 403, 403]);
    expect(await Promise.all([`127.0.0.1:${port}`, `localhost:${port}`].map(status))).toEqual([200, 200]);
  });
});

describe('a database', () => {
  test('keeps its identity and its users over restarts, and SIGTERM closes it cleanly', async () => {
    const db = join(temporaryFolder(), 'w.db');
    const first = await startWorkspace('--db', db);
    const users = await (await Session.open(first)).get('/settings/users');
    expect(await first.stop('SIGTERM')).toBe(0);
    const second = await startWorkspace('--db', db);
    onTestFinished(() => void second.stop());
    expect(second.workspaceId).toBe(first.workspaceId);
    expect(await (await Session.open(second)).get('/settings/users')).toEqual(users);
  });

  test('is refused to a second process, and free again after kill -9', async () => {
    const db = join(temporaryFolder(), 'w.db');
    const first = await startWorkspace('--db', db);
    const second = await runToEnd('--db', db);
    expect(second).toEqual({ code: 7, stdout: '', stderr: `${db} is in use by another workspace process.\n` });
    await first.stop('SIGKILL');
    const third = await startWorkspace('--db', db);
    expect(await third.stop()).toBe(0);
  });

  test('is not created from a foreign file', async () => {
    const file = join(temporaryFolder(), 'notes.txt');
    writeFileSync(file, 'These are notes, not a database. '.repeat(100));
    await expect(openHosted('--db', file)).rejects.toThrow(`Cannot open ${file}: file is not a database`);
    expect(existsSync(`${file}-usage`)).toBe(false);
  });

  test.skipIf(!existsSync('/proc/self'))('is not created below a folder that accepts no entries', async () => {
    await expect(openHosted('--db', '/proc/nope/x/w.db')).rejects.toThrow(
      /^Cannot open \/proc\/nope\/x\/w\.db: ENOENT: .* mkdir '\/proc\/nope'$/,
    );
  });

  test('is not opened if it has the format of another version', async () => {
    const file = join(temporaryFolder(), 'w.db');
    await (await openHosted('--db', file)).stop();
    const database = await connect(file);
    database.exec('PRAGMA user_version = 1');
    database.close();
    const { code, stderr } = await runToEnd('--db', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^.*w\.db has format 1; this version reads format \d+\. Give another file\.\n$/);
  });

  test('needs a place that can be written to', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    await expect(openHosted('--db', join(folder, 'file', 'w.db'))).rejects.toThrow(/^Cannot open .*w\.db: .+$/);
  });
});

describe('the command line', () => {
  test('--help says that without --db the workspace is temporary', async () => {
    const { code, stdout, stderr } = await runToEnd('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('without it, the data is lost at the end');
  });

  test('a mistake is explained and ends with exit code 1', async () => {
    const { code, stdout, stderr } = await runToEnd('--port', 'x');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('--port must be a whole number from 0 to 65535, not "x".\nTry --help.\n');
  });

  test.each([
    [['--prot', '1'], /^Unknown option '--prot'/],
    [['--port', '-1'], /--port/],
    [['--port', '1.5'], /^--port must be a whole number from 0 to 65535, not "1\.5"\.$/],
    [['--port', '65536'], /^--port must be a whole number from 0 to 65535, not "65536"\.$/],
    [['--quota', '0'], /^--quota must be a whole number from 1/],
    [['--release', 'newest'], /^--release must be a year and a number such as 2025\.4, not "newest"\.$/],
    [['--dialect', 'klingon'], /^--dialect must be one of .*reference.*, not "klingon"\.$/],
  ])('%j is explained', (flags, message) => {
    expect(() => readArguments(flags)).toThrow(message);
  });

  test('a port in use gives one clear line', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await runToEnd('--port', String(port));
    expect({ code, stderr }).toEqual({ code: 1, stderr: `Port ${port} is in use by another process.\n` });
  });
});

describe('the process ends with its parent', () => {
  test('when the IPC channel closes', async () => {
    const child = spawn(process.execPath, [entry], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    await once(child.stdout ?? child, 'data');
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('when stdin ends, on request', async () => {
    const workspace = await startWorkspace('--exit-with-stdin');
    workspace.process.stdin?.end();
    expect(await once(workspace.process, 'exit')).toEqual([0, null]);
  });
});
