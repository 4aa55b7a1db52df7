import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const headers = { 'content-type': 'text/html' };
const html = { do: 'answer', when: 'after', headers, content: '<html>Thank you</html>' } as const;

test('a write with an unreadable answer is unknown, counted as such, and not repeated', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/g.yaml': manifest('UserGroup', 'Quality', { description: 'a' }) + manifest('UserGroup', 'Others', {}),
  });
  await workspace.arm([{ method: 'POST', path: '/settings/usergroups', status: 201, ...html }]);
  const { variables } = workspace;
  const { code, out } = await project.run(['apply', '--yes', '--json'], variables);
  const events = linesOf(out);
  expect(events.find(({ status }) => status?.is === 'unknown').status).toMatchObject({
    code: 'WRITE_UNANSWERED',
    message: expect.stringContaining('was answered with 201 and an HTML page (text/html), beginning with "<html>Thank'),
  });
  expect([code, events.at(-1)]).toMatchObject([4, { type: 'summary', done: 1, failed: 0, unknown: 1 }]);
  const again = await project.run(['apply', '--yes'], variables);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('the ledger records it, and nothing is sent')]);
  expect((await project.run(['plan', '--detailed-exitcode'], variables)).code).toBe(0);
  const { body } = await workspace.call('GET', '/settings/usergroups');
  expect(body.results.filter(({ name }: { name: string }) => name === 'Quality')).toHaveLength(1);
});

test('a commit with an unreadable answer is looked up, and the import is committed once', async () => {
  const workspace = await testWorkspace();
  const mapping = [{ resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' }];
  const project = await testProject({
    'manifests/i.yaml':
      manifest('ImportDefinition', 'D', { resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping } }) +
      manifest('Import', 'I', { definition: 'D', source: { file: 'a.csv' } }),
    'manifests/a.csv': 'Part\nDX-0001\n',
  });
  await workspace.arm([{ method: 'PUT', times: 'always', ...html }]);
  const { code, err } = await project.run(['apply', '--yes'], workspace.variables);
  expect([code, err]).toEqual([0, '']);
  expect((await workspace.usage()).filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('a refused write shows no GUID, neither to people nor in the words of the journal', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/g.yaml': manifest('UserGroup', 'Quality', { description: 'a' }) });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  const guid = 'ABCDEFGHIJ0123456789';
  const refused = { do: 'status', status: 400, code: 3011, message: `The guid "${guid}" is not valid.` } as const;
  await workspace.arm([{ method: 'PUT', times: 'always', ...refused }]);
  await project.write('manifests/g.yaml', manifest('UserGroup', 'Quality', { description: 'b' }));
  const { code, out } = await project.run(['apply', '--adopt', '--yes'], workspace.variables);
  expect([code, out]).toEqual([
    4,
    expect.stringContaining(
      'PUT /settings/usergroups/{guid} was answered with 400: The guid "{guid}" is not valid. (3011)',
    ),
  ]);
  // One folder for each address under which the workspace was reached.
  const journals = (await readdir(join(project.folder, '.dexsync/ledger'), { recursive: true })).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const texts = await Promise.all(journals.map((name) => project.read(`.dexsync/ledger/${name}`)));
  expect(texts.join('')).toContain('PUT /settings/usergroups/{guid}');
  const words = texts.join('').replaceAll(/"guid":"\w+"/g, '');
  expect(out + words).not.toMatch(/\b[A-Z0-9]{20}\b/);
});
