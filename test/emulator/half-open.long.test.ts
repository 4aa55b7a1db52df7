import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { send } from '../harness/session.js';
import { startWorkspace } from '../harness/start-workspace.js';

/** What somebody sends who never ends the request. */
const BEGUN = ['', 'GET /settings/usergroups HTTP/1.1\r\nHost: a\r\n'];

test('500 connections that never send a request do not block others, and are closed within seconds', async () => {
  const workspace = await startWorkspace();
  onTestFinished(() => void workspace.stop());
  const { port } = new URL(workspace.url);
  const closed = Array.from({ length: 500 }, async (_, index) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.resume().write(BEGUN[index % BEGUN.length] ?? '');
    await once(socket, 'close');
  });
  const { email, password } = workspace;
  expect((await send(workspace.url, 'POST', '/login', { email, password })).status).toBe(200);
  await Promise.all(closed);
}, 30_000);
