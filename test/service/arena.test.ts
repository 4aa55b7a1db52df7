import { describe, expect, test } from 'vitest';
import { testProject } from '../harness/test-project.js';
import { arenaStub, type Received } from './arena-stub.js';

const MANIFESTS = `apiVersion: dexsync/v1
kind: ImportDefinition
metadata: { name: ERP specs }
spec:
  resource: ITEM_SPECS
  mode: EDIT
  options:
    mapping:
      - { resource: ITEM_SPECS, apiName: number, sourceName: Part Number }
      - { resource: ITEM_SPECS, attribute: RoHS, sourceName: RoHS }
---
apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Quality }
spec: { description: After }
---
apiVersion: dexsync/v1
kind: Trigger
metadata: { name: Item edited }
spec: { description: Any, resource: ITEM, action: EDIT, category: Resistor }
---
apiVersion: dexsync/v1
kind: Policy
metadata: { name: Releases }
spec: { userGroups: [Quality] }
---
apiVersion: dexsync/v1
kind: Import
metadata: { name: Parts }
spec: { definition: ERP specs, source: { file: parts.csv } }
`;

async function started(manifests = MANIFESTS) {
  const stub = await arenaStub();
  const project = await testProject({
    'manifests/all.yaml': manifests,
    'manifests/parts.csv': 'Part Number,RoHS\n000417,Yes\n000418,No\n',
  });
  const variables = {
    DEXSYNC_ENV: 'remote',
    TEST_URL: stub.url,
    DEXSYNC_REMOTE_EMAIL: 'ada@example.com',
    DEXSYNC_REMOTE_PASSWORD: 'secret',
    DEXSYNC_REMOTE_WORKSPACE_ID: '123456789',
    DEXSYNC_REMOTE_PROFILE: 'arena',
  };
  return { ...stub, run: (args: readonly string[]) => project.run(args, variables) };
}

const writes = (received: readonly Received[]): string[] =>
  received.map(({ request }) => request).filter((request) => !/^GET |\/login$/.test(request));

describe('the profile arena, against answers written from wire-facts alone', () => {
  test('a plan ignores letter case, and leaves an object without an endpoint to a person', async () => {
    const { run, received } = await started();
    const planned = await run(['plan', '--json']);
    expect([planned.code, planned.err]).toEqual([4, '']);
    const { steps, workspace, requests } = JSON.parse(planned.out);
    expect(steps.map(({ action, address }: Record<string, string>) => `${action} ${address}`)).toEqual([
      'adopt ImportDefinition/ERP specs',
      'import Import/Parts',
      'update UserGroup/Quality',
      'manual Policy/Releases',
      'adopt Trigger/Item edited',
    ]);
    expect(workspace).toMatchObject({ id: '123456789', name: 'EveryRoad GPS' });
    expect(writes(received)).toEqual([]);
    expect(requests.used).toBe(received.length - 1);
  });

  test('every request carries the session and its purpose; whole lists are not paged', async () => {
    const { run, received } = await started();
    await run(['plan']);
    const [login, ...others] = received;
    expect(JSON.parse(login?.body ?? '')).toEqual({
      email: 'ada@example.com',
      password: 'secret',
      workspaceId: 123456789,
    });
    for (const { headers } of others) {
      expect([headers.arena_session_id, headers['arena-usage-reason']]).toEqual([
        'LABS-TOKEN|',
        expect.stringMatching(/^dexsync\/\d/),
      ]);
    }
    const queries = new Map(others.map(({ request, query }) => [request, query]));
    expect(Object.fromEntries(queries)).toEqual({
      'GET /imports': '?offset=0&limit=400',
      'GET /items': expect.stringMatching(
        /^\?responseview=full&includeEmptyAdditionalAttributes=true&criteria=.*&offset=0&limit=400$/,
      ),
      'GET /imports/L3N6P2NE14FCVEXGZIIQ/runs': '',
      'GET /settings/integrations/triggers': '?offset=0&limit=400',
      'GET /settings/usergroups': '',
      'GET /settings/items/attributes': '?includePossibleValues=true',
      'GET /settings/items/categories': '',
    });
  });

  test('an apply: the update carries fields that no manifest names, the run is committed once and read once after it', async () => {
    const { run, received } = await started();
    const applied = await run(['apply', '--adopt', '--yes', '--manual', 'warn']);
    expect([applied.code, applied.err]).toEqual([0, '']);
    const put = received.find(({ request }) => request.startsWith('PUT /settings/usergroups'));
    expect(JSON.parse(put?.body ?? '')).toEqual({
      name: 'Quality',
      description: 'After',
      enabled: true,
      assignability: ['CHANGES'],
    });
    const runs = received.map(({ request }) => request).filter((request) => request.includes('/runs'));
    const ofRun = '/imports/L3N6P2NE14FCVEXGZIIQ/runs/AAAAAAAAAAAAAAAAAAA7';
    expect(runs.slice(0, 6)).toEqual([
      'GET /imports/L3N6P2NE14FCVEXGZIIQ/runs',
      'POST /imports/L3N6P2NE14FCVEXGZIIQ/runs',
      `GET ${ofRun}`,
      `GET ${ofRun}`,
      `PUT ${ofRun}`,
      `GET ${ofRun}`,
    ]);
    expect(applied.out).toContain('2 committed, 0 failed');
    const again = await run(['plan', '--json', '--detailed-exitcode', '--manual', 'warn']);
    const left = JSON.parse(again.out).steps.map(({ address }: { address: string }) => address);
    expect(left).toEqual(['UserGroup/Quality', 'Policy/Releases']);
  });

  test('env check and quota read the reset date of this service', async () => {
    const { run } = await started();
    const facts = JSON.parse((await run(['env', 'check', '--json'])).out);
    expect(facts).toMatchObject({
      profile: 'arena',
      release: null,
      requests: { limit: 1000, remaining: 989, reset: '2014-05-02T21:22:13.000Z' },
    });
  });

  test('a refusal keeps the words and the code of the service', async () => {
    const reservation = `apiVersion: dexsync/v1
kind: NumberReservation
metadata: { name: Housings }
spec: { category: Resistor, quantity: 2 }
`;
    const { run } = await started(reservation);
    const { code, out } = await run(['apply', '--adopt', '--yes']);
    expect([code, out]).toEqual([4, expect.stringContaining('No number can be reserved. (3207)')]);
  });
});
