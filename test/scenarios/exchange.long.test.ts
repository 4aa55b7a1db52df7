import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import papaparse from 'papaparse';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { alteringProxy } from '../harness/altering-proxy.js';
import { linesOf } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { finished } from '../harness/test-project.js';
import { DIALECTS, exchangeProject, NAMES } from './exchange-project.js';
import { readZip } from './read-zip.js';

const EXPORT = ['exports', 'run', 'Parts', '--out', 'out'];
const RECORD = '.dexsync-run.json';

const STARTED = { method: 'POST', path: '/exports/*/runs' } as const;
const READ = { method: 'GET', path: '/exports/*/runs/*' } as const;
const CONTENT = '/exports/*/runs/*/files/*/content';

const posts = (usage: readonly { method: string; path: string }[]) =>
  usage.filter(({ method, path }) => method === 'POST' && /\/(exports|extracts)\/.*\/runs$/.test(path));

describe.each(sample(DIALECTS, 1))('dialect %s', (dialect) => {
  test('an export unpacks exactly the archive and its items, and counts them', async () => {
    const { workspace, project } = await exchangeProject(dialect);
    const { code, out, err } = await project.run([...EXPORT, '--keep-archive'], workspace.variables);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/ExportDefinition\/Parts {2}started \(run #1\)/);
    expect(out).toMatch(/ExportDefinition\/Parts: 3 files in .*out {2}COMPLETE \(run #1\)/);
    expect(out).toMatch(/SPECS\.csv +[\d.]+ k?B +4\n/);
    expect(out).toMatch(/BOM\.csv +\d+ B +0\n/);
    expect(out).toMatch(/Requests: \d+ used, \d+ left today\./);
    const folder = join(project.folder, 'out');
    const names = (await readdir(folder)).sort();
    expect(names).toEqual(['BOM.csv', expect.stringMatching(/^Export_.*\.zip$/), 'SPECS.csv']);
    const archive = readZip(await readFile(join(folder, names[1] ?? '')));
    expect([...archive.keys()].sort()).toEqual(['BOM.csv', 'SPECS.csv']);
    for (const [name, content] of archive) expect(await readFile(join(folder, name))).toEqual(content);
    const { data } = papaparse.parse<Record<string, string>>(await project.read('out/SPECS.csv'), {
      header: true,
      skipEmptyLines: true,
    });
    expect(data.map(({ name }) => name)).toEqual(NAMES);
    expect(posts(await workspace.usage())).toHaveLength(1);
  });

  test('an extract can be downloaded again from its newest run, without a new one', async () => {
    const { workspace, project, extract } = await exchangeProject(dialect);
    const run = ['extracts', 'run', extract, '--out', 'out'];
    const none = await project.run([...run, '--latest'], workspace.variables);
    expect([none.code, none.err]).toEqual([3, expect.stringContaining('has no completed run')]);
    const first = await project.run([...run, '--json'], workspace.variables);
    const events = linesOf(first.out);
    expect([first.code, events.at(-1)]).toMatchObject([0, { type: 'summary', exitCode: 0, done: 1 }]);
    const { outcome } = events.find(({ type }) => type === 'transferred');
    const { body: items } = await workspace.call('GET', '/items?limit=400');
    const rows = items.results.length;
    expect(outcome.files).toContainEqual({ path: 'Items_Summary.csv', size: expect.any(Number), rows });
    const again = await project.run([...run, '--latest', '--force', '--no-unpack'], workspace.variables);
    expect([again.code, again.err]).toEqual([0, '']);
    const names = await readdir(join(project.folder, 'out'));
    const zip = names.find((name) => /^Extract_.*\.zip$/.test(name)) ?? '';
    const archive = readZip(await readFile(join(project.folder, 'out', zip)));
    expect(await readFile(join(project.folder, 'out/Items_Summary.csv'))).toEqual(archive.get('Items_Summary.csv'));
    expect(posts(await workspace.usage())).toHaveLength(1);
  });

  test('a lost answer to the start is looked up in the run list at once', async () => {
    const { workspace, project } = await exchangeProject(dialect);
    await workspace.arm([{ ...STARTED, do: 'reset', when: 'after' }]);
    const { code, out, err } = await project.run(EXPORT, workspace.variables);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('resuming a run whose start was never acknowledged (run #1)');
    expect(posts(await workspace.usage())).toHaveLength(1);
  });

  test('after a kill between the start and the download the same command resumes the same run', async () => {
    const { workspace, project } = await exchangeProject(dialect);
    let kill = (): void => undefined;
    await workspace.arm([{ ...READ, do: 'reset' }], () => kill());
    const { variables } = workspace;
    const child = project.start(EXPORT, variables);
    kill = () => child.kill('SIGKILL');
    expect((await finished(child)).code).toBeNull();
    expect(await readdir(join(project.folder, 'out'))).toEqual([RECORD]);

    const other = await project.run(['exports', 'run', 'Any', '--out', 'out', '--latest'], variables);
    expect([other.code, other.err]).toEqual([3, expect.stringContaining('A run is in progress in ')]);
    const foreign = ['exports', 'run', 'Any', '--out', 'out', '--criteria', '[[]]'];
    const refused = await project.run(foreign, variables);
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringMatching(/A run of ExportDefinition\/Parts is in progress in .*\n.*another `--out`/),
    ]);
    const elsewhere = await project.run(EXPORT, (await exchangeProject(dialect)).workspace.variables);
    expect([elsewhere.code, elsewhere.err]).toEqual([
      3,
      expect.stringMatching(/A run of workspace .*\n.*another `--out`/),
    ]);

    const { code, out, err } = await project.run(EXPORT, variables);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('resuming the run that an earlier command started (run #1)');
    expect((await readdir(join(project.folder, 'out'))).sort()).toEqual(['BOM.csv', 'SPECS.csv']);
    expect(posts(await workspace.usage())).toHaveLength(1);
  });

  test('after a kill before the answer to the start the run is found, and no second one is started', async () => {
    const { workspace, project } = await exchangeProject(dialect);
    let kill = (): void => undefined;
    await workspace.arm([{ ...STARTED, do: 'reset', when: 'after' }], () => kill());
    const { variables } = workspace;
    const child = project.start(EXPORT, variables);
    kill = () => child.kill('SIGKILL');
    await finished(child);
    const { code, out } = await project.run(EXPORT, variables);
    expect([code, out]).toEqual([0, expect.stringContaining('resuming a run whose start was never acknowledged')]);
    expect(posts(await workspace.usage())).toHaveLength(1);
  });

  test('after a kill during the download the next command removes the partial archive', async () => {
    const { workspace, project } = await exchangeProject(dialect);
    let kill = (): void => undefined;
    await workspace.arm([{ path: CONTENT, do: 'cut' }], () => kill());
    const { variables } = workspace;
    const child = project.start(EXPORT, variables);
    kill = () => child.kill('SIGKILL');
    await finished(child);
    const left = await readdir(join(project.folder, 'out'));
    expect(left).toContainEqual(expect.stringMatching(/^\.dexsync-part-\d+-/));
    const again = await project.run(EXPORT, variables);
    expect([again.code, again.err]).toEqual([0, '']);
    expect((await readdir(join(project.folder, 'out'))).sort()).toEqual(['BOM.csv', 'SPECS.csv']);
  });
});

test('an error is reported before a run is started', async () => {
  const { workspace, project } = await exchangeProject('reference');
  const run = (...args: string[]) => project.run(['exports', 'run', ...args], workspace.variables);
  const said = async (args: string[], text: RegExp) => {
    const { code, err } = await run(...args);
    expect([code, err]).toEqual([3, expect.stringMatching(text)]);
  };
  await said(['Prats', '--out', 'out'], /ExportDefinition\/Prats is not in environment .*\n.*Did you mean "Parts"/);
  await said(['Any', '--out', 'out'], /has no criteria, so each run needs its own\.\n.*--criteria/);
  await said(['Any', '--out', 'out', '--criteria', '{'], /`--criteria` is not JSON/);
  await said(['Any', '--out', 'out', '--criteria', '[]'], /not a list of groups/);
  await said(['Parts', '--out', 'out', '--criteria', '[[]]'], /has its own criteria, which a run cannot override/);
  expect(existsSync(join(project.folder, 'out'))).toBe(false);
  await said(['Parts', '--out', 'manifests'], /manifests is not empty: it contains "exports\.yaml".*\n.*--force/);
  await project.write('broken/.dexsync-run.json', '{"version":1}');
  await said(['Parts', '--out', 'broken'], /is not a valid run record/);
  expect(posts(await workspace.usage())).toEqual([]);

  await workspace.call('POST', '/exports', { name: 'Parts', options: { exportViews: ['SPECS'] } });
  const { body: all } = await workspace.call('GET', '/exports');
  const [number, other] = all.results
    .filter(({ name }: { name: string }) => name === 'Parts')
    .map((one: { number: number }) => one.number);
  await said(
    ['Parts', '--out', 'out'],
    new RegExp(`has 2 objects named ExportDefinition/Parts .*\\n.*\`--number\`: ${number}, ${other}\\.`),
  );
  await said(
    ['Parts', '--number', '99', '--out', 'out'],
    /has no objects named ExportDefinition\/Parts with the number 99/,
  );
  const chosen = await run('Parts', '--number', String(number), '--out', 'out');
  expect([chosen.code, chosen.err]).toEqual([0, '']);
  const criteria = JSON.stringify([[{ attribute: 'number', operator: 'IS_EQUAL_TO', value: 'X-1' }]]);
  const given = await run('Any', '--criteria', criteria, '--out', 'out', '--force', '--json');
  expect(linesOf(given.out).find(({ type }) => type === 'transferred').outcome.files).toMatchObject([
    { path: 'SPECS.csv', rows: 1 },
  ]);
  expect((await readdir(join(project.folder, 'out'))).sort()).toEqual(['BOM.csv', 'SPECS.csv']);
  const file = await run('Parts', '--number', String(number), '--out', 'parts.csv');
  expect([file.code, file.err]).toEqual([1, expect.stringContaining('[DISK, exit 1]')]);
});

test('an archive that cannot be downloaded yet is waited for', async () => {
  const { workspace, project } = await exchangeProject('reference');
  const refused = { do: 'status', status: 400, code: 3017, message: 'Not at this time.' } as const;
  await workspace.arm([{ path: CONTENT, times: 2, ...refused }]);
  const { code, out } = await project.run(EXPORT, workspace.variables);
  expect([code, out]).toEqual([0, expect.stringContaining('the archive is not ready yet; waiting for it')]);
});

test('another export in progress is waited for, and no longer than --wait', async () => {
  const { workspace, project } = await exchangeProject('reference');
  // As while the run of somebody else goes on.
  const message = 'Only one export can be in progress.';
  const busy = { ...STARTED, do: 'status', status: 400, code: 3144, message } as const;
  await workspace.arm([{ ...busy, times: 'always' }]);
  const { variables } = workspace;
  const bounded = await project.run([...EXPORT, '--wait', '1'], variables);
  expect([bounded.code, bounded.err]).toEqual([
    1,
    expect.stringMatching(/another export was still in progress after 1 s.*\n.*--wait SECONDS/),
  ]);
  expect(await readdir(join(project.folder, 'out'))).toEqual([]);
  await workspace.arm([{ ...busy, times: 3 }]);
  const waited = await project.run(EXPORT, variables);
  expect([waited.code, waited.err]).toEqual([0, '']);
  expect(waited.out).toContain('another export is in progress; waiting up to 600 s for it to finish');
  expect(posts(await workspace.usage())).toHaveLength(1);
});

test('Ctrl-C during the wait ends at once and says how to continue', async () => {
  const { workspace, project } = await exchangeProject('reference');
  const running = { ...READ, do: 'set-fields', set: { status: 'RUNNING', files: [] } } as const;
  let interrupt = (): unknown => undefined;
  await workspace.arm(
    [
      { ...running, times: 2 },
      { ...running, nth: 3 },
    ],
    ({ rule }) => {
      if (rule === 2) interrupt();
    },
  );
  const child = project.start(EXPORT, workspace.variables);
  interrupt = () => child.kill('SIGINT');
  const { code, err } = await finished(child);
  expect([code, err]).toEqual([
    130,
    expect.stringMatching(
      /Repeat the command with the same `--out`: it resumes run #1 and does not start a second one/,
    ),
  ]);
  expect((await project.run(EXPORT, workspace.variables)).code).toBe(0);
  expect(posts(await workspace.usage())).toHaveLength(1);
});

test.each([
  ['FAILED', 'run #1 failed; the service reports FAILED'],
  ['ABORTED', 'was stopped; the service reports ABORTED'],
])('%s is an error, and the next command starts another run', async (status, says) => {
  const { workspace, project } = await exchangeProject('reference');
  await workspace.arm([{ ...READ, times: 'always', do: 'set-fields', set: { status, files: [] } }]);
  const failed = await project.run(EXPORT, workspace.variables);
  await workspace.arm([]);
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining(says)]);
  expect(await readdir(join(project.folder, 'out'))).toEqual([]);
  const next = await project.run(EXPORT, workspace.variables);
  expect([next.code, next.out]).toEqual([0, expect.stringContaining('(run #2)')]);
});

test('a stop while many files are unpacked ends the command, and the next one has them all', async () => {
  const { workspace, project } = await exchangeProject('reference');
  const zip = new ZipFile();
  for (let number = 0; number < 1000; number += 1) zip.addBuffer(Buffer.alloc(0), `files/${number % 100}/${number}`);
  zip.end();
  const content = await buffer(zip.outputStream);
  const url = await alteringProxy(workspace.url, ({ path }, { body, headers }) => {
    if (path.endsWith('/content')) return { headers, body: content };
    if (!/\/runs\/\w+$/.test(path)) return undefined;
    return { headers, body: Buffer.from(body.toString().replaceAll(/"size":\d+/g, `"size":${content.length}`)) };
  });
  const variables = { ...workspace.variables, TEST_URL: url };
  const child = project.start([...EXPORT, '--json'], variables);
  let isStopped = false;
  child.stdout?.on('data', (text: Buffer) => {
    if (isStopped || !text.includes('unpacking')) return;
    isStopped = true;
    child.kill('SIGTERM');
  });
  const { code, err } = await finished(child);
  expect([code, err]).toEqual([130, expect.stringContaining('resumes run #1 and does not start a second one')]);
  expect(await readdir(join(project.folder, 'out'))).toEqual([RECORD]);
  const again = await project.run(EXPORT, variables);
  expect([again.code, again.out.match(/^files\//gm)]).toEqual([0, expect.objectContaining({ length: 1000 })]);
});

test('a broken archive is refused by name and leaves nothing; a download that breaks off is repeated', async () => {
  const { workspace, project } = await exchangeProject('reference');
  const url = await alteringProxy(workspace.url, ({ path, nth }, { body, headers }) => {
    if (!path.endsWith('/content')) return undefined;
    if (nth > 2) return undefined;
    return nth === 1 ? 'cut' : { headers, body: body.subarray(0, body.length - 4) };
  });
  const variables = { ...workspace.variables, TEST_URL: url };
  const broken = await project.run(EXPORT, variables);
  expect([broken.code, broken.err]).toEqual([
    1,
    expect.stringMatching(
      /The archive Export_\w+\.zip is broken: .*[^.]\. Nothing was kept\.\n.*to download the archive again/,
    ),
  ]);
  expect(await readdir(join(project.folder, 'out'))).toEqual([RECORD]);
  await writeFile(join(project.folder, 'out/SPECS.csv'), 'mine');
  const mine = await project.run(EXPORT, variables);
  expect([mine.code, mine.err]).toEqual([3, expect.stringContaining('it contains "SPECS.csv"')]);
  expect(await project.read('out/SPECS.csv')).toBe('mine');
  expect((await project.run([...EXPORT, '--force'], variables)).code).toBe(0);
  expect(posts(await workspace.usage())).toHaveLength(1);
});

test('the files of an extract belong to its owner: others get the name of the owner', async () => {
  const { workspace, project, extract } = await exchangeProject('reference');
  const run = ['extracts', 'run', extract, '--out', 'out'];
  const cleo = { ...workspace.variables, DEXSYNC_REMOTE_EMAIL: 'cleo@example.com' };
  const { code, err } = await project.run(run, cleo);
  expect([code, err]).toEqual([
    6,
    expect.stringMatching(/Since 2025-07-27 only the owner .* Log in as its owner \(.+\)\./),
  ]);
});
