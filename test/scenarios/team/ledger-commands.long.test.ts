import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../../harness/manifest.js';
import { noPostgres } from '../../harness/postgres.js';
import { IS_WHOLE, sample, scaled } from '../../harness/sample.js';
import { freshRunner, inGit, inPostgres, machine } from '../../harness/team-ledger.js';
import { type TestProject, testProject } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import { group, groups } from '../lease-project.js';

const specs = itemsDefinition('Specs', { Part: 'number', Name: 'name' });
const load = manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } });

async function appliedProject() {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': specs + load + groups(2),
    'manifests/parts.csv': 'Part,Name\nL-1,One\nL-2,Two\n',
  });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  expect((await run('apply', '--yes')).err).toBe('');
  return { workspace, project, run };
}

const posted = async (workspace: Awaited<ReturnType<typeof testWorkspace>>): Promise<number> =>
  (await workspace.usage()).filter(({ method, path }) => method === 'POST' && path !== '/login').length;

async function journalFiles(project: TestProject): Promise<string[]> {
  const root = join(project.folder, '.dexsync/ledger');
  const all = await readdir(root, { recursive: true });
  return all.filter((file) => file.endsWith('.jsonl')).map((file) => join(root, file));
}

describe('ledger check', () => {
  test('says where the ledger is and that it is whole', async () => {
    const { run } = await appliedProject();
    const { code, out } = await run('ledger', 'check');
    expect([code, out.replaceAll(/(in the folder )\S+|\d{4}-\S+ \S+ UTC/g, '$1…')]).toEqual([
      0,
      'Ledger of environment remote, in the folder …\n  1 apply, from … to …\n  3 objects, 1 import\n\nEvery journal is as it was written.\n',
    ]);
    expect(JSON.parse((await run('ledger', 'check', '--json')).out)).toMatchObject({
      environment: 'remote',
      applies: 1,
      objects: 3,
      imports: 1,
      problems: [],
    });
  });

  test('names changed records, and their consequences', async () => {
    const { project, run } = await appliedProject();
    const [file = ''] = await journalFiles(project);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"how":"created"', '"how":"adopted"'));
    const { code, out } = await run('ledger', 'check');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/✗ Line \d+ of the journal .+ was changed after it was written/),
    ]);
    expect(out).toContain('`dexsync ledger rebuild`');
  });

  test('accepts an environment that was never used', async () => {
    const project = await testProject();
    const { code, out } = await project.run(['ledger', 'check']);
    expect([code, out]).toEqual([0, 'Nothing has been applied to environment local yet.\n']);
  });
});

describe('ledger rebuild', () => {
  test('owns matching objects again after a loss, and sends no row again', async () => {
    const { workspace, project, run } = await appliedProject();
    const sent = await posted(workspace);
    await rm(join(project.folder, '.dexsync'), { recursive: true });
    const { code, out } = await run('ledger', 'rebuild', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('4 to adopt')]);
    expect((await run('plan', '--prune', '--detailed-exitcode')).code).toBe(0);
    expect(await posted(workspace)).toBe(sent);
    await project.write('manifests/all.yaml', specs + load + groups(1));
    expect((await run('plan', '--prune')).out).toContain('UserGroup/G1  delete');
  });

  test('keeps the readable part of a damaged ledger, and finds the rest', async () => {
    const { workspace, project, run } = await appliedProject();
    const [file = ''] = await journalFiles(project);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"type":"outcome"', '"type":"incom"'));
    expect((await run('plan')).err).toContain('LEDGER_DAMAGED');
    const sent = await posted(workspace);
    const { code, out } = await run('ledger', 'rebuild', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('to adopt')]);
    expect((await run('plan', '--prune', '--detailed-exitcode')).code).toBe(0);
    expect(await posted(workspace)).toBe(sent);
    expect((await run('history')).out).toContain('ledger rebuild');
  });

  test('leaves an object alone that differs from its manifest', async () => {
    const { project, run } = await appliedProject();
    await rm(join(project.folder, '.dexsync'), { recursive: true });
    await project.write(
      'manifests/all.yaml',
      specs + load + manifest('UserGroup', 'G0', { description: 'y' }) + group('G1'),
    );
    const { code, out } = await run('ledger', 'rebuild', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('3 to adopt')]);
    expect((await run('apply', '--yes')).code).toBe(4);
  });

  test('needs a yes', async () => {
    const { project, run } = await appliedProject();
    await rm(join(project.folder, '.dexsync'), { recursive: true });
    expect((await run('ledger', 'rebuild')).err).toContain('CONFIRMATION_NEEDED');
  });
});

test('ledger move works into a folder of the project, and never to its own place', async () => {
  const { project, run } = await appliedProject();
  await project.write(
    'sync.config.yaml',
    `${await project.read('sync.config.yaml')}ledger: { file: { folder: led } }\n`,
  );
  expect(await run('ledger', 'move', '--from', 'file')).toMatchObject({ code: 0, err: '' });
  expect((await run('plan', '--prune', '--detailed-exitcode')).code).toBe(0);
  expect(await run('ledger', 'move', '--from', 'file:led')).toMatchObject({ code: 3 });
});

describe('ledger move that was killed before it closed the old place', () => {
  /** As such a move leaves it; the machine does not remember that there was more. */
  async function halfMoved() {
    const { workspace, project } = await appliedProject();
    const variables = { ...workspace.variables, ...machine() };
    const run = (...args: string[]) => project.run(args, variables);
    const before = await project.read('sync.config.yaml');
    const after = `${before}ledger: { file: { folder: led } }\n`;
    await project.write('sync.config.yaml', after);
    expect((await run('ledger', 'move', '--from', 'file')).code).toBe(0);
    for (const file of await journalFiles(project)) if (file.includes('-moved-')) await rm(file);
    for (const data of [join(variables.XDG_STATE_HOME ?? '', 'dexsync'), join(project.folder, '.dexsync')])
      await rm(join(data, 'heads'), { recursive: true });
    return { project, run, before, after };
  }

  test('closes it when it runs again, also after applies in the new place', async () => {
    const { project, run, before, after } = await halfMoved();
    await project.write('manifests/more.yaml', group('More'));
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await run('ledger', 'move', '--from', 'file')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('0 copied now'),
    });
    await project.write('sync.config.yaml', before);
    expect((await run('apply', '--yes')).err).toContain('The ledger was moved to the folder');
    await project.write('sync.config.yaml', after);
    expect((await run('plan', '--prune', '--detailed-exitcode')).code).toBe(0);
    expect(await run('ledger', 'check')).toMatchObject({ code: 0 });
    expect((await run('history')).out.match(/ledger move/g)).toHaveLength(1);
  });

  test('is refused after an apply in the old place: the two cannot be joined', async () => {
    const { project, run, before, after } = await halfMoved();
    await project.write('sync.config.yaml', before);
    await project.write('manifests/more.yaml', group('More'));
    expect((await run('apply', '--yes')).code).toBe(0);
    await project.write('sync.config.yaml', after);
    const again = await run('ledger', 'move', '--from', 'file');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('cannot be joined')]);
  });
});

test('ledger check names a journal that ends within a line, which does not count as damage', async () => {
  const { project, run } = await appliedProject();
  const [file = ''] = await journalFiles(project);
  await appendFile(file, '{"type":"outcome","at":"2026-');
  const { code, out } = await run('ledger', 'check');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/\.jsonl ends within a line: .*\nEvery journal is as it was written\.\n$/),
  ]);
});

test('ledger check names an edited snapshot, and ledger rebuild creates it again', async () => {
  const { project, run } = await appliedProject();
  const config = await project.read('sync.config.yaml');
  await project.write('sync.config.yaml', `${config}ledger: { file: { folder: led } }\n`);
  expect((await run('ledger', 'move', '--from', 'file')).code).toBe(0);
  const [folder = ''] = await readdir(join(project.folder, 'led'));
  const file = `led/${folder}/snapshot.json`;
  await project.write(file, (await project.read(file)).replace('"how":"created"', '"how":"adopted"'));
  expect(await run('plan', '--prune', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
  const check = await run('ledger', 'check');
  expect([check.code, check.out]).toEqual([1, expect.stringContaining('(snapshot) of the ledger was changed')]);
  expect((await run('ledger', 'rebuild', '--yes')).code).toBe(0);
  expect(await run('ledger', 'check')).toMatchObject({ code: 0 });
});

test('ledger rebuild does not open a ledger that was moved away, and leaves check satisfied', async () => {
  const { project, run } = await appliedProject();
  const before = await project.read('sync.config.yaml');
  const [file = ''] = await journalFiles(project);
  await writeFile(file, (await readFile(file, 'utf8')).replace('"type":"outcome"', '"type":"incom"'));
  expect((await run('ledger', 'rebuild', '--yes')).code).toBe(0);
  expect(await run('ledger', 'check')).toMatchObject({ code: 0, out: expect.stringContaining('as it was written') });
  expect((await run('history', 'show', '2')).out).toContain('the plan is unchanged since it was recorded');
  await project.write('sync.config.yaml', `${before}ledger: { file: { folder: led } }\n`);
  expect((await run('ledger', 'move', '--from', 'file')).code).toBe(0);
  await project.write('sync.config.yaml', before);
  const opened = await run('ledger', 'rebuild', '--yes');
  expect([opened.code, opened.err]).toEqual([1, expect.stringContaining('The ledger was moved to the folder')]);
});

describe.each(sample([inGit, ...(noPostgres === undefined ? [inPostgres()] : [])], 1))(
  'ledger move to $name',
  (ledger) => {
    test('keeps everything, and closes the old place', async () => {
      const { workspace, project } = await appliedProject();
      const before = await project.read('sync.config.yaml');
      const variables = { ...workspace.variables, ...(await ledger.place(project)) };
      const run = (...args: string[]) => project.run(args, variables);
      const moved = await run('ledger', 'move', '--from', 'file');
      expect([moved.code, moved.err, moved.out]).toEqual([
        0,
        '',
        expect.stringMatching(/^Moved 1 apply of environment remote .* from the folder /),
      ]);
      expect((await run('plan', '--prune', '--detailed-exitcode')).code).toBe(0);
      expect((await run('ledger', 'check')).out).toContain('3 objects, 1 import');
      expect((await run('history')).out).toContain('admin@example.com');

      const again = await run('ledger', 'move', '--from', 'file');
      expect([again.code, again.out]).toEqual([0, expect.stringContaining('0 copied now')]);
      await project.write('sync.config.yaml', before);
      const late = await run('apply', '--yes');
      expect([late.code, late.err]).toEqual([
        1,
        expect.stringMatching(/^Error: The ledger was moved to .+ by admin@example\.com\.\nSet `ledger`/),
      ]);
    });

    test.runIf(IS_WHOLE || ledger.name === 'git')(
      'works back and forth, with and without applies between, and writes no password',
      {
        timeout: 120_000,
      },
      async () => {
        const { workspace, project } = await appliedProject();
        const files = await project.read('sync.config.yaml');
        const own = await ledger.place(project);
        const team = await project.read('sync.config.yaml');
        const variables = { ...workspace.variables, ...own };
        const run = (...args: string[]) => project.run(args, variables);
        const place = own.TEST_LEDGER === undefined ? `git:${/remote: "(.+)"/.exec(team)?.[1]}` : '${env.TEST_LEDGER}';
        for (let round = 0; round < scaled(3, 1); round += 1) {
          await project.write('sync.config.yaml', team);
          expect(await run('ledger', 'move', '--from', 'file')).toMatchObject({ code: 0, err: '' });
          if (round > 0) await project.write(`manifests/more${round}.yaml`, group(`More${round}`));
          expect(await run('apply', '--yes')).toMatchObject({ code: 0, err: '' });
          await project.write('sync.config.yaml', files);
          expect(await run('ledger', 'move', '--from', place)).toMatchObject({ code: 0, err: '' });
          expect(await run('plan', '--prune', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
          expect(await run('ledger', 'check')).toMatchObject({ code: 0 });
        }
        const shown = await run('history', 'show', '2');
        const [, password = 'no password'] = /:\/\/\w+:(\w+)@/.exec(own.TEST_LEDGER ?? '') ?? [];
        for (const file of await journalFiles(project)) expect(await readFile(file, 'utf8')).not.toContain(password);
        expect(shown.out).toContain('the plan is unchanged since it was recorded');
        expect(shown.out).toContain('moved from the folder');
      },
    );

    test('completes an interrupted move, and does not mix in a foreign ledger', async () => {
      const { workspace, project } = await appliedProject();
      const variables = { ...workspace.variables, ...(await ledger.place(project)) };
      const other = await freshRunner(project);
      const elsewhere = { ...variables, ...other.variables };
      expect((await other.project.run(['ledger', 'rebuild', '--yes'], elsewhere)).code).toBe(0);
      const mixed = await project.run(['ledger', 'move', '--from', 'file'], variables);
      expect([mixed.code, mixed.err]).toEqual([
        1,
        expect.stringContaining('The new place has an apply that the old one does not know'),
      ]);
    });

    test('refuses the same place, a place without a ledger, and no place at all', async () => {
      const { workspace, project } = await appliedProject();
      const file = await project.run(['ledger', 'move', '--from', 'file'], workspace.variables);
      expect([file.code, file.err]).toEqual([
        3,
        expect.stringMatching(/^Error: `--from` names the place where the ledger is already/),
      ]);
      const variables = { ...workspace.variables, ...(await ledger.place(project)) };
      const empty = await project.run(['ledger', 'move', '--from', 'file:nowhere'], variables);
      expect([empty.code, empty.err]).toEqual([
        3,
        expect.stringContaining('There is no ledger of workspace "Embedded Workspace" in'),
      ]);
      const wrong = await project.run(['ledger', 'move', '--from', 'mysql://x'], variables);
      expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('neither a PostgreSQL URL nor')]);
    });
  },
);
