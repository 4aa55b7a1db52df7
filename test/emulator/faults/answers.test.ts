import { describe, expect, test } from 'vitest';
import { DIALECTS, faultyWorkspace, GROUPS, raw } from './faults.js';

interface Entry {
  readonly guid: string;
  readonly name: string;
}

/** What a list is answered with while a fault strikes, and what it truly is. */
async function listed(fault: object, dialect: string, query = '') {
  const { arm, call, faults } = await faultyWorkspace(dialect);
  const { body: truth } = await call('GET', GROUPS);
  await arm([{ method: 'GET', path: GROUPS, ...fault } as never]);
  const { body } = await call('GET', `${GROUPS}${query}`);
  const [report] = await faults();
  return { count: body.count, given: body.results as Entry[], all: truth.results as Entry[], struck: report?.struck };
}

describe.each(DIALECTS)('a list in the dialect %s', (dialect) => {
  test.each([
    ['first', 0],
    ['last', -1],
  ] as const)('without its %s entry', async (entry, at) => {
    const { count, given, all } = await listed({ do: 'omit-entry', entry }, dialect);
    expect([count, given]).toEqual([all.length - 1, all.filter((one) => one !== all.at(at))]);
  });

  test('without an entry that the seed draws, and with a count of all', async () => {
    const { count, given, all } = await listed({ do: 'omit-entry', entry: 'random', count: 'all' }, dialect);
    expect([count, given.length]).toEqual([all.length, all.length - 1]);
  });

  test('that is empty, with and without the count of all', async () => {
    const silent = await listed({ do: 'empty' }, dialect);
    expect([silent.count, silent.given]).toEqual([0, []]);
    const contradicting = await listed({ do: 'empty', count: 'all' }, dialect);
    expect([contradicting.count, contradicting.given]).toEqual([contradicting.all.length, []]);
  });

  test('with a repeated entry, in another order, with swapped GUIDs, with a contradicting entry', async () => {
    const repeated = await listed({ do: 'repeat-entry', entry: 'last' }, dialect);
    expect(repeated.given).toEqual([...repeated.all, repeated.all.at(-1)]);
    const reordered = await listed({ do: 'reorder' }, dialect);
    expect(reordered.given).toEqual(reordered.all.toReversed());
    const { given, all } = await listed({ do: 'swap-guids' }, dialect);
    expect(given.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
    expect(given.slice(-2).map(({ guid }) => guid)).toEqual([all.at(-1)?.guid, all.at(-2)?.guid]);
    const contradicting = await listed({ do: 'contradict' }, dialect);
    expect(contradicting.given.at(-1)).toEqual({ ...contradicting.all[0], name: 'Another' });
  });
});

describe('the pages of a list', () => {
  async function paged(action: 'omit-page' | 'repeat-page') {
    const { arm, call, faults } = await faultyWorkspace();
    const at = async (offset: number): Promise<string[]> =>
      (await call('GET', `/settings/users?offset=${offset}&limit=2`)).body.results.map(
        ({ email }: { email: string }) => email,
      );
    const truth = [await at(0), await at(2)];
    await arm([{ path: '/settings/users', times: 'always', do: action }]);
    return { truth, given: [await at(0), await at(2)], report: await faults() };
  }

  test('without one of them', async () => {
    const { truth, given } = await paged('omit-page');
    expect(given[0]).toEqual(truth[1]);
  });

  test('with the first one repeated', async () => {
    const { truth, given, report } = await paged('repeat-page');
    expect([given, report]).toMatchObject([[truth[0], truth[0]], [{ matched: 1, struck: 1 }]]);
  });
});

describe('a single object', () => {
  async function read(fault: object) {
    const { arm, call, guids } = await faultyWorkspace();
    const path = `${GROUPS}/${guids[0]}`;
    const { body: truth } = await call('GET', path);
    const { body: another } = await call('GET', `${GROUPS}/${guids[2]}`);
    await arm([{ method: 'GET', path: `${GROUPS}/**`, ...fault } as never]);
    // A list is none, and does not count.
    await call('GET', GROUPS);
    const { body } = await call('GET', path);
    return { body, truth, another };
  }

  test('without content, or with its GUID alone', async () => {
    expect((await read({ do: 'say-nothing' })).body).toEqual({});
    const { body, truth } = await read({ do: 'guid-alone' });
    expect(body).toEqual({ guid: truth.guid });
  });

  test('with the GUID of a missing object, or with a given one', async () => {
    const drawn = await read({ do: 'foreign-guid' });
    expect(drawn.body.guid).not.toBe(drawn.truth.guid);
    expect((await read({ do: 'foreign-guid', guid: 'ABCDEFGHIJ0123456789' })).body.guid).toBe('ABCDEFGHIJ0123456789');
  });

  test('with the content of another', async () => {
    const { body, another } = await read({ do: 'another-object' });
    expect(body).toMatchObject({ guid: another.guid, name: another.name });
  });
});

test('fields are left out or set, in objects and in the entries of lists', async () => {
  const { arm, call, guids } = await faultyWorkspace();
  await arm([
    { path: `${GROUPS}/*`, times: 'always', do: 'omit-fields', fields: ['name'] },
    { path: GROUPS, times: 'always', do: 'set-fields', set: { description: 'set', name: null } },
  ]);
  expect((await call('GET', `${GROUPS}/${guids[0]}`)).body.name).toBeUndefined();
  const { results } = (await call('GET', GROUPS)).body;
  expect(results.every((one: object) => 'description' in one && one.description === 'set' && !('name' in one))).toBe(
    true,
  );
});

describe('an echo of the request', () => {
  test.each([
    ['page', 'text/html', 400],
    ['errors', 'application/json', 400],
    ['text', 'text/plain', 400],
    ['values', 'application/json', 200],
  ] as const)('as %s', async (as, type, status) => {
    const { arm, call, url } = await faultyWorkspace();
    await arm([{ do: 'echo', as, path: GROUPS }]);
    if (as === 'values') {
      const { body } = await call('GET', GROUPS);
      expect([body.results[0].description, body.results.length]).toEqual([
        expect.stringContaining('eyes/1'),
        body.count,
      ]);
      return;
    }
    const answer = await raw(`${url}${GROUPS}`, 'GET', { 'x-secret': 's3cret<' });
    expect(answer).toMatchObject({ status, headers: { 'content-type': expect.stringContaining(type) } });
    expect(answer.text).toContain(as === 'page' ? 's3cret&lt;' : 's3cret<');
  });
});
