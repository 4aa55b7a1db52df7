import { describe, expect, test } from 'vitest';
import { alteringProxy, type Exchange } from '../harness/altering-proxy.js';
import { DIALECTS, exchangeProject, items } from './exchange-project.js';

/** What a workspace of an older release, or one without a licensed part, answers (wire-facts 2.1). */
const NO_RESOURCE = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"status":404,"errors":[{"code":404,"message":"The requested resource does not exist."}]}'),
};

async function lacking(dialect: string, isAbsent: (exchange: Exchange) => boolean) {
  const { workspace, project } = await exchangeProject(dialect);
  const refused: string[] = [];
  const url = await alteringProxy(
    workspace.url,
    () => undefined,
    (exchange) => {
      if (!isAbsent(exchange)) return undefined;
      refused.push(`${exchange.method} ${exchange.path.replace(/\?.*/, '')}`);
      return NO_RESOURCE;
    },
  );
  const run = async (...args: string[]) => {
    const { code, out, err } = await project.run(args, { ...workspace.variables, TEST_URL: url });
    expect(code, err).toBe(0);
    return out;
  };
  return { workspace, project, run, refused };
}

describe.each(DIALECTS)('dialect %s', (dialect) => {
  test('quota without a log of requests says what the headers say', async () => {
    const { run } = await lacking(dialect, ({ path }) => path.includes('/apiusages'));
    const quota = JSON.parse(await run('quota', '--json'));
    expect(quota).toMatchObject({ log: 'absent', users: [], remaining: expect.any(Number) });
    expect(await run('quota')).toMatch(
      /^\d+ .*requests left in .*\nThe service keeps no log of requests, so who used them is unknown\.\n/,
    );
  });

  test('orphans and lists of all kinds leave out a kind that the service lacks', async () => {
    const { run } = await lacking(dialect, ({ path }) => path.includes('/policies'));
    const { orphans, unlisted } = JSON.parse(await run('orphans', '--json'));
    expect(unlisted).toContain('Policy');
    expect(orphans).not.toEqual([]);
    const kinds = (JSON.parse(await run('get', 'all', '--json')) as { type: string }[]).map(({ type }) => type);
    expect(kinds).toContain('UserGroup');
    expect(kinds).not.toContain('Policy');
  });

  test('events are set entry by entry where the service sets no whole events', async () => {
    const { workspace, project, run, refused } = await lacking(
      dialect,
      ({ method, path }) => method === 'PUT' && /\/events\/[^/]+$/.test(path),
    );
    if (dialect === 'reference') {
      await project.write(
        'manifests/events.yaml',
        `{ apiVersion: dexsync/v1, kind: Trigger, metadata: { name: New }, spec: { resource: ITEM, action: CREATE } }
---
{ apiVersion: dexsync/v1, kind: OutboundIntegration, metadata: { name: ERP }, spec: { triggers: [New], administrators: [admin@example.com] } }
`,
      );
      await run('apply', '--yes');
      for (const prefix of ['N', 'M']) {
        await project.write('new.csv', items(prefix, ['Lamp', 'Shade']));
        await run('import', 'new.csv', '--definition', 'Items');
      }
    } else {
      await project.write('edited.csv', items('P', ['Better lamp'], 'after'));
      await run('import', 'edited.csv', '--definition', 'Items');
    }
    const { events } = JSON.parse(await run('events', 'list', 'ERP', '--json'));
    expect(events.length).toBeGreaterThan(1);
    expect(await run('events', 'reconcile', 'ERP', '--all', '--yes')).toContain(`✓ ${events.length} set to reconciled`);
    expect(await run('events', 'list', 'ERP')).toContain('No unreconciled events of ERP.');
    // The service is asked once, not for each event.
    expect(refused).toHaveLength(1);
    const puts = (await workspace.usage()).filter(({ method, path }) => method === 'PUT' && path.includes('/items/'));
    expect(puts.every(({ status }) => status === 200)).toBe(true);
    expect(await run('events', 'unreconcile', 'ERP', events[0].guid)).toContain('✓ 1 set to unreconciled');
    expect(await run('events', 'list', 'ERP')).toContain('1 unreconciled event of ERP.');
  });
});
