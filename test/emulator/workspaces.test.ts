import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openHosted, type Ready } from '../harness/hosted-workspace.js';
import { csv, Session, send } from '../harness/session.js';
import { runToEnd, startWorkspace, temporaryFolder } from '../harness/start-workspace.js';

const GROUPS = '/settings/usergroups';

/** A process with the workspace that it always has and two more, in the order of their names. */
async function serveThree(...flags: readonly string[]) {
  const served = await openHosted('--workspace', 'staging', '--workspace', 'prod', ...flags);
  onTestFinished(() => served.stop());
  return served;
}

const idsOf = ({ workspaces = [] }: Ready): number[] => workspaces.map(({ workspaceId }) => workspaceId);

const sessionsOf = (served: Ready, email?: string): Promise<Session[]> =>
  Promise.all(idsOf(served).map((id) => Session.open(served, email, id)));

const group = (name: string) => ({ name, description: null, enabled: true, assignability: ['POLICIES'] });

const groupsOf = async (session: Session): Promise<string[]> =>
  (await session.get(GROUPS)).results.map(({ name }: { name: string }) => name);

/** What a login answers. */
async function login(served: Ready, workspaceId?: number | string) {
  const credentials = { email: served.email, password: served.password, workspaceId };
  const { status, body } = await send(served.url, 'POST', '/login', credentials);
  return status === 200 ? body.workspaceId : [status, body.errors[0].code];
}

describe('several workspaces in one process (wire-facts 1)', () => {
  test('the id at login chooses one, as a number or as text; another id is refused', async () => {
    const served = await serveThree();
    expect(served.workspaces).toMatchObject([{ name: 'Embedded Workspace' }, { name: 'prod' }, { name: 'staging' }]);
    const ids = idsOf(served);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe(served.workspaceId);
    for (const id of ids) expect([await login(served, id), await login(served, String(id))]).toEqual([id, id]);
    expect(await login(served, 1)).toEqual([400, 4001]);
    const { email, password } = served;
    const { body } = await send(served.url, 'POST', '/login', { email, password, workspaceId: ids[1] });
    expect(body).toMatchObject({ workspaceId: ids[1], workspaceName: 'prod', workspaceRequestLimit: 25_000 });
  });

  test('without an id it is the one that the user used last, at first the first one', async () => {
    const file = join(temporaryFolder(), 'last.db');
    const served = await startWorkspace('--db', file, '--workspace', 'prod');
    const [first = 0, prod = 0] = idsOf(served);
    expect(await login(served)).toBe(first);
    await login(served, prod);
    expect(await login(served)).toBe(prod);
    await served.stop();
    const again = await openHosted('--db', file, `--password=${served.password}`);
    onTestFinished(() => again.stop());
    expect(await login(again)).toBe(prod);
    expect(await login({ ...again, email: 'ann@example.com' })).toBe(first);
  });

  test('each has data, sessions and a quota of its own', async () => {
    const sessions = await sessionsOf(await serveThree());
    const names = ['In the first', 'In prod', 'In staging'];
    for (const [index, session] of sessions.entries()) await session.post(GROUPS, group(names[index] ?? ''));
    expect(await Promise.all(sessions.map(groupsOf))).toEqual(names.map((name) => ['Everyone', name]));
    const remaining = async (session: Session) =>
      (await session.send('GET', GROUPS)).headers.get('X-Requests-Remaining');
    const [first, prod, staging] = sessions as [Session, Session, Session];
    for (const _ of [1, 2, 3]) await prod.get(GROUPS);
    expect([await remaining(first), await remaining(prod)]).toEqual(['24997', '24994']);
    await prod.send('PUT', '/logout');
    expect((await prod.send('GET', GROUPS)).status).toBe(401);
    expect(await groupsOf(staging)).toContain('In staging');
  });

  test('imports of each write only its own items', async () => {
    const [first, prod] = (await sessionsOf(await serveThree())) as [Session, Session];
    const { run } = await prod.importNow(await prod.define('ITEM_SPECS', 'CREATE'), csv('number,name', 'P-1,One'));
    expect(run).toMatchObject({ status: 'COMPLETE', successCount: 1 });
    expect([await first.items('P-1'), (await prod.items('P-1')).length]).toEqual([[], 1]);
  });

  test('a fault meets the session of the workspace that a request names', async () => {
    const served = await serveThree();
    const [first, prod] = (await sessionsOf(served)) as [Session, Session];
    await served.arm({ faults: [{ method: 'GET', path: GROUPS, nth: 1, do: 'end-session' }] });
    expect((await prod.send('GET', GROUPS)).status).toBe(401);
    expect(await groupsOf(first)).toEqual(['Everyone']);
    expect((await prod.send('GET', GROUPS)).status).toBe(401);
  });
});

describe('the file of several workspaces', () => {
  test('keeps all of them, which later processes serve without being asked', async () => {
    const file = join(temporaryFolder(), 'kept.db');
    const served = await startWorkspace('--db', file, '--workspace', 'prod');
    const [, prod] = (await sessionsOf(served)) as [Session, Session];
    await prod.post(GROUPS, group('Kept'));
    expect(await served.stop()).toBe(0);
    const again = await openHosted('--db', file, '--workspace', 'staging');
    onTestFinished(() => again.stop());
    expect(idsOf(again).slice(0, 2)).toEqual(idsOf(served));
    const groups = (await sessionsOf(again)).map(groupsOf);
    expect(await Promise.all(groups)).toEqual([['Everyone'], ['Everyone', 'Kept'], ['Everyone']]);
  });

  test('is copied with all of them; a copy without a namesake begins as the first one, with an id of its own', async () => {
    const from = join(temporaryFolder(), 'from.db');
    const served = await openHosted('--db', from, '--workspace', 'prod');
    const sessions = await sessionsOf(served);
    for (const [index, session] of sessions.entries()) await session.post(GROUPS, group(`Group ${index}`));
    await served.stop();
    const copies = await openHosted('--from', from, '--workspace', 'staging');
    onTestFinished(() => copies.stop());
    expect(idsOf(copies).slice(0, 2)).toEqual(idsOf(served));
    expect(new Set(idsOf(copies)).size).toBe(3);
    const own = (await sessionsOf(copies)) as [Session, Session, Session];
    const begun = [['Group 0'], ['Group 1'], ['Group 0']].map((names) => ['Everyone', ...names]);
    expect(await Promise.all(own.map(groupsOf))).toEqual(begun);
    for (const session of own) await session.post(GROUPS, group('Later'));
    expect((await own[1].send('POST', '/embedded/reset')).status).toBe(204);
    const after = begun.map((names, index) => (index === 1 ? names : [...names, 'Later']));
    expect(await Promise.all(own.map(groupsOf))).toEqual(after);
  });

  test.each(['', '../prod', 'Prod', 'a b'])('a workspace cannot be named "%s"', async (name) => {
    const { code, stderr } = await runToEnd(`--workspace=${name}`);
    expect([code, stderr]).toEqual([
      1,
      `--workspace must be a name in lower case such as staging, not "${name}".\nTry --help.\n`,
    ]);
  });
});
