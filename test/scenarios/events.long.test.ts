import { describe, expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import type { TestProject } from '../harness/test-project.js';
import type { TestWorkspace } from '../harness/test-workspace.js';
import { DIALECTS, exchangeProject, items } from './exchange-project.js';

const INTEGRATION = 'ERP';

/** Two events of the integration: items were created, then one of them was edited. */
async function withEvents(dialect: string): Promise<{ workspace: TestWorkspace; project: TestProject }> {
  const { workspace, project } = await exchangeProject(dialect);
  // The arena dialect has them already: people make them in the service's own pages.
  if (dialect === 'reference') {
    await project.write(
      'manifests/events.yaml',
      manifest('Trigger', 'Item created', { resource: 'ITEM', action: 'CREATE' }) +
        manifest('Trigger', 'Item edited', { resource: 'ITEM', action: 'EDIT' }) +
        manifest('OutboundIntegration', INTEGRATION, {
          triggers: ['Item created', 'Item edited'],
          administrators: ['admin@example.com'],
        }),
    );
    const applied = await project.run(['apply', '--yes'], workspace.variables);
    expect([applied.code, applied.err]).toEqual([0, '']);
    await imported(project, workspace, 'made.csv', items('N', ['New lamp', 'New shade'], 'before'));
    await imported(project, workspace, 'edited.csv', items('N', ['Better lamp'], 'after'));
    return { workspace, project };
  }
  await imported(project, workspace, 'edited.csv', items('P', ['Better lamp'], 'after'));
  return { workspace, project };
}

async function imported(project: TestProject, { variables }: TestWorkspace, file: string, content: string) {
  await project.write(file, content);
  const { code, out } = await project.run(['import', file, '--definition', 'Items'], variables);
  expect(code, out).toBe(0);
}

const puts = async (workspace: TestWorkspace) => (await workspace.usage()).filter(({ method }) => method === 'PUT');

describe.each(DIALECTS)('dialect %s', (dialect) => {
  test('events are listed, shown with their values before and after, reconciled and undone', async () => {
    const { workspace, project } = await withEvents(dialect);
    const run = async (...args: string[]) => {
      const { code, out, err } = await project.run(['events', ...args], workspace.variables);
      expect([code, err]).toEqual([0, '']);
      return out;
    };
    const before = (await puts(workspace)).length;
    const listing = JSON.parse(await run('list', INTEGRATION, '--json'));
    expect(listing.events).toHaveLength(2);
    const [made, edited] = listing.events as { guid: string; triggers: { name: string }[] }[];
    expect([made, edited].map((event) => event?.triggers.map(({ name }) => name))).toEqual([
      ['Item created'],
      ['Item edited'],
    ]);
    const table = await run('list', INTEGRATION);
    expect(table).toMatch(/^2 unreconciled events of ERP\.\n\nEVENT +WHEN \(UTC\) +STATUS +TRIGGERS +BY\n/);
    const [short = ''] = table.split('\n').slice(4)[0]?.split(' ') ?? [];
    expect(edited?.guid.startsWith(short)).toBe(true);

    const shown = await run('show', INTEGRATION, short);
    const number = dialect === 'reference' ? 'N-1' : 'P-1';
    const old = dialect === 'reference' ? ['New lamp', 'before'] : ['Plain', expect.anything()];
    expect(shown).toContain(`Item ${number}  Better lamp  pending`);
    expect(shown).toContain(`~ name: "${old[0]}" -> "Better lamp"`);
    expect(shown).toContain('description');
    expect(shown).toMatch(/Requests: 4 used by this command\./);
    const whole = await run('show', INTEGRATION, made?.guid ?? '');
    expect(whole).toMatch(/Item [NP]-1 {2}Better lamp {2}new {2}pending/);
    expect(whole).toMatch(/Item [NP]-2 {2}.* {2}new {2}pending/);

    expect(await run('reconcile', INTEGRATION, short)).toContain('✓ 1 set to reconciled in ERP');
    expect(await run('list', INTEGRATION)).toContain('1 unreconciled event of ERP.');
    expect(await run('reconcile', INTEGRATION, short)).toContain('Nothing to do: all of them are already reconciled.');
    expect((await puts(workspace)).length - before).toBe(1);

    const item = dialect === 'reference' ? 'N-2' : 'P-2';
    expect(await run('reconcile', INTEGRATION, made?.guid ?? '', '--item', item)).toContain(`in ERP: ${item}.`);
    expect(await run('show', INTEGRATION, made?.guid ?? '')).toMatch(/-2 {2}.* {2}new {2}reconciled .* by /);
    expect(await run('reconcile', INTEGRATION, made?.guid ?? '', '--item', item)).toContain('Nothing to do');
    // A part of it is reconciled: that is enough to undo.
    expect(await run('unreconcile', INTEGRATION, made?.guid ?? '')).toContain('✓ 1 set to unreconciled');
    expect(await run('unreconcile', INTEGRATION, made?.guid ?? '')).toContain('all of them are already unreconciled');
    expect(await run('unreconcile', INTEGRATION, short)).toContain('✓ 1 set to unreconciled');
    expect(await run('reconcile', INTEGRATION, '--all', '--yes')).toContain('✓ 2 set to reconciled');
    expect(await run('list', INTEGRATION)).toContain('No unreconciled events of ERP.');
    expect(JSON.parse(await run('list', INTEGRATION, '--reconciled', 'any', '--json')).events).toHaveLength(2);
  });

  test('errors are reported, and send no write', async () => {
    const { workspace, project } = await withEvents(dialect);
    const before = (await puts(workspace)).length;
    const said = async (args: string[], code: number, text: RegExp, variables = workspace.variables) => {
      const result = await project.run(['events', ...args], variables);
      expect([result.code, result.err]).toEqual([code, expect.stringMatching(text)]);
    };
    await said(['list', 'ERB'], 3, /OutboundIntegration\/ERB is not in environment .*\n.*"ERP"/);
    await said(['show', INTEGRATION, 'AB'], 3, /"AB" is not the GUID of an event\.\n.*at least its first 4 characters/);
    await said(['show', INTEGRATION, 'ZZZZZZ'], 3, /No event of this integration has a GUID that begins with "ZZZZZZ"/);
    await said(['reconcile', INTEGRATION], 3, /No event was given\.\n.*--all/);
    await said(['reconcile', INTEGRATION, '--all'], 3, /needs confirmation, but there is no terminal/);
    await said(['reconcile', INTEGRATION, 'ABCD', 'EFGH', '--item', 'P-1'], 3, /`--item` selects items of one event/);
    const { out } = await project.run(['events', 'list', INTEGRATION, '--json'], workspace.variables);
    const { guid } = JSON.parse(out).events.at(-1);
    await said(['reconcile', INTEGRATION, guid, '--item', 'X-99'], 3, /No item has the number "X-99"/);
    await said(['reconcile', INTEGRATION, guid, '--item', 'X-1'], 3, /contains nothing with the number or GUID "X-1"/);
    expect((await puts(workspace)).length).toBe(before);

    const cleo = { ...workspace.variables, DEXSYNC_REMOTE_EMAIL: 'cleo@example.com' };
    await said(
      ['reconcile', INTEGRATION, guid],
      6,
      /\(4303\).*\n.*administrators of OutboundIntegration\/ERP may do this: .*Ada Admin/,
      cleo,
    );
  });
});
