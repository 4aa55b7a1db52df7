import { describe, expect, test } from 'vitest';
import { DIALECTS, faultyWorkspace, GROUPS, raw } from './faults.js';

const PUT = { method: 'PUT', path: `${GROUPS}/*` } as const;

describe.each(['before', 'after'] as const)('%s the service applied it', (when) => {
  const done = when === 'after' ? 'new' : 'A';

  async function changed(fault: object) {
    const { arm, call, guids, faults } = await faultyWorkspace();
    await arm([{ ...PUT, when, ...fault } as never]);
    const answer = await call('PUT', `${GROUPS}/${guids[0]}`, { name: 'A', description: 'new' }).catch(
      ({ cause }: Error) => (cause as { code: string }).code,
    );
    const { body } = await call('GET', `${GROUPS}/${guids[0]}`);
    expect((await faults()).map(({ matched, struck }) => [matched, struck])).toEqual([[1, 1]]);
    expect(body.description).toBe(done);
    return answer;
  }

  test('a status with the form of the errors', async () => {
    expect(await changed({ do: 'status', status: 503 })).toEqual({
      status: 503,
      body: { status: 503, errors: [{ code: 503, message: 'The service is not available.' }] },
    });
    expect(await changed({ do: 'status', status: 400, code: 3144, message: 'One at a time.' })).toMatchObject({
      body: { errors: [{ code: 3144, message: 'One at a time.' }] },
    });
  });

  test('forbidden', async () => {
    expect(await changed({ do: 'forbid' })).toMatchObject({ status: 403, body: { errors: [{ code: 3024 }] } });
  });

  test('a page of HTML, and a custom answer', async () => {
    expect(await changed({ do: 'page' })).toEqual({ status: 502, body: expect.stringContaining('<html>') });
    expect(await changed({ do: 'answer', status: 202, content: { a: 1 } })).toEqual({ status: 202, body: { a: 1 } });
  });

  test('a reset of the connection', async () => {
    expect(await changed({ do: 'reset' })).toBe('ECONNRESET');
  });
});

test('429 with and without Retry-After', async () => {
  const { arm, url } = await faultyWorkspace();
  await arm([
    { path: '/login', do: 'status', status: 429, retryAfter: 7 },
    { path: '/login', nth: 2, do: 'status', status: 429 },
  ]);
  const [first, second] = [await raw(`${url}/login`, 'POST'), await raw(`${url}/login`, 'POST')];
  expect([first.status, first.headers['retry-after']]).toEqual([429, '7']);
  expect([second.status, second.headers['retry-after']]).toEqual([429, undefined]);
});

test('a hanging request gets no answer, and does not keep the service from ending', async () => {
  const { arm, call, faults } = await faultyWorkspace();
  await arm([{ path: GROUPS, do: 'hang' }]);
  const waiting = call('GET', GROUPS).catch(() => 'cut');
  const early = await Promise.race([waiting, new Promise((done) => setTimeout(done, 200, 'nothing'))]);
  expect([early, await faults()]).toMatchObject(['nothing', [{ struck: 1 }]]);
});

describe('a body', () => {
  test('that is cut has half its length', async () => {
    const { arm, url } = await faultyWorkspace();
    const { length } = (await raw(`${url}/login`, 'POST')).text;
    await arm([{ path: '/login', do: 'cut' }]);
    await expect(raw(`${url}/login`, 'POST')).rejects.toThrow(`after ${Math.floor(length / 2)} bytes`);
  });

  test('that is malformed is whole, but not JSON', async () => {
    const { arm, call } = await faultyWorkspace();
    await arm([{ path: GROUPS, do: 'malformed' }]);
    expect(await call('GET', GROUPS)).toEqual({ status: 200, body: expect.stringMatching(/^\{"count":/) });
  });

  test('that is in another encoding is not UTF-8', async () => {
    const { arm, url } = await faultyWorkspace();
    await arm([{ path: '/login', do: 'bad-encoding' }]);
    expect((await raw(`${url}/login`, 'POST')).text).toContain('\ufffd"');
  });

  test('that is slow comes whole', async () => {
    const { arm, call, names } = await faultyWorkspace();
    await arm([{ path: GROUPS, do: 'slow', bytesPerSecond: 2000 }]);
    const before = performance.now();
    const { body } = await call('GET', GROUPS);
    expect(performance.now() - before).toBeGreaterThan(200);
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(await names());
  });
});

test('latency is drawn from the seed', async () => {
  const { arm, call, names } = await faultyWorkspace();
  await arm([{ path: GROUPS, times: 'always', do: 'latency', milliseconds: 150, spread: 50 }]);
  const before = performance.now();
  expect((await call('GET', GROUPS)).body.results.map(({ name }: { name: string }) => name)).toEqual(await names());
  expect(performance.now() - before).toBeGreaterThan(300);
});

test('status and headers of an answer', async () => {
  const { arm, url } = await faultyWorkspace();
  await arm([{ do: 'set-head', status: 206, headers: { 'x-requests-remaining': '9' } }]);
  const { status, headers, text } = await raw(`${url}/login`, 'POST');
  expect([status, headers, text]).toEqual([
    206,
    expect.objectContaining({ 'x-requests-remaining': '9' }),
    expect.stringContaining('"errors"'),
  ]);
});

describe.each(DIALECTS)('in the dialect %s', (dialect) => {
  test.each(['end-session', 'take-over'] as const)(
    '%s: the service itself refuses the session from then on',
    async (action) => {
      const { arm, call } = await faultyWorkspace(dialect);
      await arm([{ method: 'GET', path: GROUPS, do: action }]);
      const refused = { status: 401, body: { errors: [{ code: 401 }] } };
      expect([await call('GET', GROUPS), await call('GET', GROUPS)]).toMatchObject([refused, refused]);
    },
  );

  test('a session that ends after a request was applied', async () => {
    const { arm, call } = await faultyWorkspace(dialect);
    await arm([{ method: 'GET', path: GROUPS, do: 'end-session', when: 'after' }]);
    expect([(await call('GET', GROUPS)).status, (await call('GET', GROUPS)).status]).toEqual([200, 401]);
  });

  test.each(['first', 'last'] as const)('a request delivered twice and answered with the %s answer', async (answer) => {
    const { arm, call, pages } = await faultyWorkspace(dialect);
    await arm([{ method: 'POST', path: '/imports', do: 'twice', answer }]);
    const { body } = await call('POST', '/imports', definition('Twice'));
    const made = (await pages('/imports')).filter(({ name }) => name === 'Twice');
    expect(made).toHaveLength(2);
    expect(made.map(({ guid }) => guid).indexOf(body.guid)).toBe(answer === 'first' ? 0 : 1);
  });

  test('a write that is acknowledged and not applied', async () => {
    const { arm, call, guids, names } = await faultyWorkspace(dialect);
    await arm([{ path: `${GROUPS}/**`, times: 'always', do: 'acknowledge' }]);
    const before = await names();
    const [a, b] = guids;
    const put = await call('PUT', `${GROUPS}/${a}`, { name: 'Other' });
    expect(put).toMatchObject({ status: 200, body: { guid: a, name: 'Other', description: 'A' } });
    await arm([{ path: `${GROUPS}/**`, times: 'always', do: 'acknowledge', shows: 'found' }]);
    expect((await call('PUT', `${GROUPS}/${a}`, { name: 'Other' })).body).toMatchObject({ guid: a, name: 'A' });
    const post = await call('POST', GROUPS, { name: 'New' });
    expect(post).toMatchObject({ status: 201, body: { name: 'New', guid: expect.stringMatching(/^[A-Z0-9]{20}$/) } });
    expect(await call('DELETE', `${GROUPS}/${b}`)).toEqual({ status: 204, body: undefined });
    expect(await names()).toEqual(before);
  });
});

const definition = (name: string) => ({
  name,
  resource: 'ITEM_SPECS',
  mode: 'OVERWRITE',
  options: { mapping: [{ resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' }] },
});

describe('stale reads', () => {
  test('stay at the answer of the URL before the first of them', async () => {
    const { arm, call, names } = await faultyWorkspace();
    await arm([{ method: 'GET', path: GROUPS, times: 'always', do: 'stale' }]);
    const before = await names();
    await call('POST', GROUPS, { name: 'D' });
    expect([await names(), await names()]).toEqual([before, before]);
    await arm([]);
    expect(await names()).toEqual([...before, 'D']);
  });

  test('lag behind by that many answers', async () => {
    const { arm, call, names } = await faultyWorkspace();
    await arm([{ method: 'GET', path: GROUPS, times: 'always', do: 'stale', lag: 2 }]);
    const before = await names();
    await call('POST', GROUPS, { name: 'D' });
    const all = [await names(), await names(), await names()];
    expect(all).toEqual([[...before, 'D'], before, [...before, 'D']]);
  });
});
