import { createServer } from 'node:net';
import { type KnownPerson, loginService } from './login-service.js';
import { servePage } from './page-browser.js';
import type { TestProject, Variables } from './test-project.js';

const PEOPLE = {
  ann: { email: 'ann@example.com', groups: ['plm-operators'] },
  ben: { email: 'ben@example.com', groups: ['plm-viewers', 'others'] },
  dora: { email: 'dora@example.com', groups: ['plm-data'] },
  fay: { email: 'fay@example.com', groups: ['plm-data', 'plm-operators'] },
  eve: { email: 'eve@example.com', groups: ['sales'] },
} satisfies Record<string, KnownPerson>;

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Serves the page of a project to people who log in: Ann operates, Ben views, Dora sees data, Fay may do both. */
export async function servedFor(project: TestProject, variables: Variables = {}) {
  const service = await loginService(PEOPLE);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  service.admit(url);
  await project.write(
    'sync.config.yaml',
    `${await project.read('sync.config.yaml')}page:
  url: ${url}
  login:
    issuer: ${service.issuer}
    clientId: ${service.clientId}
    clientSecret: "\${env.PAGE_SECRET}"
    scope: openid email groups
    roles: { view: [plm-viewers], data: [plm-data], operate: [plm-operators] }
`,
  );
  const start = () => servePage(project, { ...variables, PAGE_SECRET: service.clientSecret }, ['--port', String(port)]);
  return { ...service, url, start, page: await start() };
}
