import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { BareCli } from '#app/commands/cli-context.js';
import { execute } from '#app/commands/program.js';
import { testProject } from '../harness/test-project.js';

const CONFIG =
  'stack: s\nmanifests: [manifests]\nenvironments: { prod: { url: "${env.TEST_URL}", production: true } }\n';

test.each([
  ['yes', 0, ['/login', '/items/1']],
  ['no', 4, ['/login']],
  ['', 4, ['/login']],
])('a write to a production environment asks, and the answer is "%s"', async (answer, code, sent) => {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    await text(request);
    seen.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(request.url === '/login' ? '{"sessionId":"S","workspaceId":1,"workspaceName":"Main"}' : '{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { folder } = await testProject({ 'sync.config.yaml': CONFIG });
  const asked: string[] = [];
  const [out, err, codes]: [string[], string[], number[]] = [[], [], []];
  const cli: BareCli = {
    out: { write: (chunk) => void out.push(chunk.toString()) },
    err: { write: (chunk) => void err.push(chunk.toString()) },
    color: 'plain',
    input: 'terminal',
    progress: 'lines',
    host: {
      cwd: folder,
      variables: {
        TEST_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        DEXSYNC_PROD_EMAIL: 'a@b',
        DEXSYNC_PROD_PASSWORD: 'p',
      },
      version: '0.0.0',
      clock: () => new Date(),
      nonce: () => 'n',
      signal: new AbortController().signal,
    },
    choose: async () => undefined,
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
    exit: (given) => void codes.push(given),
  };
  await execute(cli, ['--env', 'prod', 'api', 'DELETE', '/items/1']);
  const { port } = server.address() as AddressInfo;
  expect(asked).toEqual([
    `\nSend DELETE /items/1 to prod (http://127.0.0.1:${port}, workspace "Main"), a production workspace? Only "yes" is accepted: `,
  ]);
  expect([codes, seen]).toEqual([[code], sent]);
  expect([out, err]).toEqual(answer === 'yes' ? [['{}\n'], []] : [[], ['Nothing was sent.\n']]);
});
