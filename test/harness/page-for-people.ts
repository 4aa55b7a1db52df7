import { freePort, type KnownPerson, loginService } from './login-service.js';
import { servePage } from './page-browser.js';
import type { TestProject, Variables } from './test-project.js';

const PEOPLE = {
  ann: { email: 'ann@example.com', groups: ['plm-operators'] },
  ben: { email: 'ben@example.com', groups: ['plm-viewers', 'others'] },
  dora: { email: 'dora@example.com', groups: ['plm-data'] },
  fay: { email: 'fay@example.com', groups: ['plm-data', 'plm-operators'] },
  odo: { email: 'odo@example.com', groups: ['plm-operators', 'plm-viewers'] },
  eve: { email: 'eve@example.com', groups: ['sales'] },
} satisfies Record<string, KnownPerson>;

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
