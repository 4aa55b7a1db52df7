import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Altered, type Answer, alteringProxy, type Exchange } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const COUNT = 900;

/** Each proxy has another port: without it a warning names the ledger of the one before. */
const NOT_MOVED = ['--moved-from', 'none'];

const rows = (name: (n: number) => string): string =>
  `Part,Name\n${Array.from({ length: COUNT }, (_, index) => `P-${index},${name(index)}\n`).join('')}`;

/** A workspace with 900 items, which are three pages, and a file of which two rows are changed. */
async function loaded() {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/m.yaml':
      itemsDefinition('Specs') +
      // Nothing else is there to compare with.
      manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../parts.csv' }, missing: 'keep' }),
    'parts.csv': rows((n) => `name ${n}`),
  });
  const applied = await project.run(['apply', '--yes', '--preview', 'none'], workspace.variables);
  expect([applied.code, applied.err]).toEqual([0, '']);
  await project.write(
    'parts.csv',
    rows((n) => (n < 2 ? 'other' : `name ${n}`)),
  );
  return { workspace, project };
}

type Alter = (exchange: Exchange, answer: Answer) => Altered;

const isPage = ({ method, path }: Exchange): boolean => method === 'GET' && /^\/items\?.*responseview=full/.test(path);
const isSecondPage = (exchange: Exchange): boolean => isPage(exchange) && exchange.path.includes('offset=399');

const refused = (status: number, headers: Record<string, string> = {}): Partial<Answer> => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify({ status, errors: [{ code: status === 403 ? 3085 : 9999, message: 'no' }] })),
});

/** Replaces the item where two pages overlap by another. */
function moved({ body }: Answer): Partial<Answer> {
  const { results, ...rest } = JSON.parse(body.toString());
  return { body: Buffer.from(JSON.stringify({ ...rest, results: results.slice(1) })) };
}

/** What a day's last request is answered with (wire-facts 2, "Rate headers"). */
const SPENT = { 'x-requests-remaining': '0', 'x-next-request-limit-reset': new Date(2 ** 42).toUTCString() };

test('pages that break off, move or are refused are read again, or named, and never count as unchanged', async () => {
  const { workspace, project } = await loaded();
  const plan = async (alter: Alter) => {
    const url = await alteringProxy(workspace.url, alter);
    const { code, out, err } = await project.run(['plan', '--json', ...NOT_MOVED], {
      ...workspace.variables,
      TEST_URL: url,
    });
    return {
      code,
      err,
      ...(code === 0
        ? JSON.parse(out).steps.find(({ preview }: { preview?: object }) => preview !== undefined)?.preview
        : JSON.parse(out)),
    };
  };
  const once =
    (altered: (answer: Answer) => Altered): Alter =>
    (exchange, answer) =>
      isSecondPage(exchange) && exchange.nth === 1 ? altered(answer) : undefined;
  const always =
    (altered: (answer: Answer) => Altered): Alter =>
    (exchange, answer) =>
      isSecondPage(exchange) ? altered(answer) : undefined;

  const whole = {
    code: 0,
    err: '',
    with: 'workspace',
    by: 'pages',
    counts: { changed: 2, unchanged: COUNT - 2, new: 0 },
  };
  for (const altered of [() => 'cut' as const, () => 'drop' as const, () => refused(503), () => refused(401), moved]) {
    expect(await plan(once(altered))).toMatchObject(whole);
  }

  const reasons: readonly [RegExp, (answer: Answer) => Altered][] = [
    [/^reading the workspace failed: GET \/items.*(closed|terminated|socket|reset)/i, () => 'cut'],
    [/^reading the workspace failed: GET \/items was answered with 503/, () => refused(503)],
    [/^reading the workspace failed: GET \/items was answered with 500/, () => refused(500)],
    [/^reading the workspace failed: GET \/items was answered with 403/, () => refused(403)],
    [/^reading the workspace failed: GET \/items was answered with 429/, () => refused(429, SPENT)],
    [/^reading the workspace failed: GET \/items was answered without the list/, () => ({ body: Buffer.from('{}') })],
    [/^the items kept changing while they were read$/, moved],
  ];
  for (const [why, altered] of reasons) {
    const found = await plan(always(altered));
    expect(found).toMatchObject({ code: 0, err: '', with: 'nothing', why: expect.stringMatching(why) });
    expect([found.counts, found.rows, found.digest]).toEqual([undefined, undefined, undefined]);
  }
  const contested = await plan(always(() => refused(401)));
  expect(contested).toMatchObject({ code: 6, error: { code: 'LOGIN_REFUSED' } });
  expect(await readdir(join(project.folder, '.dexsync/tmp'))).toEqual([]);
});

test('an interruption in the middle of the pages ends the program at once, with 130 and nothing left behind', async () => {
  const { workspace, project } = await loaded();
  let interrupt = (): void => undefined;
  await workspace.arm([{ method: 'GET', path: '/items', nth: 2, do: 'reset' }], () => interrupt());
  const child = project.start(['plan', '--preview', 'full', ...NOT_MOVED], workspace.variables);
  interrupt = () => child.kill('SIGINT');
  const { code, out, err } = await finished(child);
  expect([code, out]).toEqual([130, '']);
  expect(err).toMatch(/interrupted/i);
  expect(err).not.toContain('bug');
  expect(await readdir(join(project.folder, '.dexsync/tmp'))).toEqual([]);
});
