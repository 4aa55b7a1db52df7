import { describe, expect, test } from 'vitest';
import type { Answer } from '../harness/altering-proxy.js';
import { appliedProject, type Dialect } from '../harness/lying-service.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';

type Body = { readonly results: readonly Record<string, unknown>[]; readonly [field: string]: unknown };

const json = (body: unknown): Partial<Answer> => ({ body: Buffer.from(JSON.stringify(body)) });

/** What a cache, a proxy or a replica may make of a list, and what the message says of it. */
const LIES: Readonly<Record<string, { readonly make: (answer: Answer, body: Body) => Partial<Answer>; says: RegExp }>> =
  {
    'one GUID with two contents': {
      make: (_, body) => json({ ...body, results: [...body.results, { ...body.results[0], name: 'Another' }] }),
      says: /^Error: The list of GET \/[\w/{}]+ has ".+" and "Another" under one GUID\.\nNothing was sent\./,
    },
    'a part of it': {
      make: () => ({ status: 206 }),
      says: /^Error: GET \/\S+ was answered with 206, a part of what was asked for\./,
    },
    'bytes that are not UTF-8': {
      make: (_, { results: [first, ...others], ...body }) => {
        const text = JSON.stringify({ ...body, results: [{ ...first, name: 'Caf*' }, ...others] });
        return { body: Buffer.from(text.replace('Caf*', 'Caf\u00e9'), 'latin1') };
      },
      says: /^Error: GET \/\S+ was answered with bytes that are not UTF-8\./,
    },
  };

const LISTS: readonly RegExp[] = [
  /^\/imports\?/,
  /^\/exports\?/,
  /^\/settings\/usergroups(\?|$)/,
  /^\/settings\/users\?/,
];

const MANIFESTS =
  itemsDefinition('Parts', { Part: 'number' }) +
  manifest('ExportDefinition', 'Resistors', { description: 'a' }) +
  manifest('UserGroup', 'Reviewers', { members: ['ann@example.com'] });

/** An applied project before a service of which the answers to one GET are altered. */
async function stage(dialect: Dialect, manifests: string) {
  let lie: { readonly path: RegExp; readonly make: (answer: Answer, path: string) => Partial<Answer> } | undefined;
  const applied = await appliedProject({ 'manifests/all.yaml': manifests }, dialect, ({ method, path }, answer) =>
    method === 'GET' && lie?.path.test(path) === true ? { ...answer, ...lie.make(answer, path) } : undefined,
  );
  return {
    ...applied,
    tell: (given: typeof lie) => {
      lie = given;
    },
  };
}

describe.each(['reference', 'arena'] as const)('a list that contradicts itself, in the dialect %s', (dialect) => {
  test('is refused with its path; nothing is sent because of it', async () => {
    const { run, tell, writes, project } = await stage(dialect, MANIFESTS);
    await project.write('manifests/all.yaml', MANIFESTS + manifest('UserGroup', 'Added', {}));
    const cases = LISTS.flatMap((path) => Object.values(LIES).map((one) => ({ path, ...one })));
    const before = await writes();
    for (const { path, make, says } of sample(cases, 6)) {
      tell({ path, make: (answer) => make(answer, JSON.parse(answer.body.toString())) });
      const { code, err } = await run('apply', '--yes', '--prune');
      expect([path, code, err]).toEqual([path, 1, expect.stringMatching(says)]);
    }
    expect(await writes()).toBe(before);
    tell(undefined);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await writes()).toBe(before + 1);
  });
});

test('a page that comes again instead of the next one is refused; one entry that comes twice is one', async () => {
  const count = 450;
  const triggers = Array.from({ length: count }, (_, index) =>
    manifest('Trigger', `T${index}`, { resource: 'ITEM', action: 'CREATE' }),
  );
  const { run, tell, workspace } = await stage('reference', triggers.join(''));
  const path = /^\/settings\/integrations\/triggers\?/;
  const first = await workspace.call('GET', '/settings/integrations/triggers?offset=0&limit=400');
  tell({ path, make: () => json(first.body) });
  const again = await run('apply', '--yes');
  expect([again.code, again.err]).toEqual([
    1,
    expect.stringMatching(
      /triggers gives its first 400 entries again instead of those after them\.\nNothing was sent\./,
    ),
  ]);
  tell({
    path,
    make: (answer) => {
      const body = JSON.parse(answer.body.toString());
      return json(body.results.length < 400 ? { ...body, results: [...body.results, body.results.at(-1)] } : body);
    },
  });
  const twice = await run('plan', '--detailed-exitcode');
  expect([twice.code, twice.out]).toEqual([0, expect.stringContaining(`${count} unchanged`)]);
});
