import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { DexsyncError } from '#base/errors.js';
import { type Client, openClient } from '#service/client.js';
import { listPages } from '#service/list-pages.js';
import { reference } from '#service/profiles/reference.js';
import { ServiceError } from '#service/service-error.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let server: Server | undefined;
let client: Client | undefined;
const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
const traced: string[] = [];

afterEach(async () => {
  await client?.close();
  client = undefined;
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done) ?? done(undefined));
  seen.length = 0;
  traced.length = 0;
});

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const json400 = (code: number, message: string): string => JSON.stringify({ status: 400, errors: [{ code, message }] });

/** A service that logs everybody in and answers the rest by `handler`. */
async function serve(
  handler: Handler,
  login: Handler = (_, response) =>
    json(response, 200, { sessionId: `S${seen.length}`, workspaceId: 1, workspaceName: 'W' }),
) {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    (request.url === '/v1/login' ? login : handler)(request, response, body);
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return open(address());
}

const address = (): string => `http://127.0.0.1:${(server?.address() as AddressInfo | undefined)?.port}/v1`;

function open(url: string, workspaceId?: string, over: Partial<Parameters<typeof openClient>[0]> = {}): Client {
  client = openClient({
    profile: reference,
    login: {
      url,
      email: 'ann@example.com',
      password: async () => 'secret "word',
      ...(workspaceId === undefined ? {} : { workspaceId }),
    },
    usageReason: 'example/1',
    userAgent: 'dexsync/0',
    signal: new AbortController().signal,
    clock: () => 0,
    trace: (line) => traced.push(line),
    ...over,
  });
  return client;
}

const failure = async (work: Promise<unknown>): Promise<DexsyncError> =>
  work.then(
    () => Promise.reject(new Error('no failure')),
    (error: DexsyncError) => error,
  );
const said = async (work: Promise<unknown>): Promise<string> => {
  const { code, message, hint, exitCode } = await failure(work);
  return `${code} ${exitCode} | ${message} | ${hint}`;
};

describe('an answer of the service', () => {
  test('is named if it is an HTML page', async () => {
    const { get } = await serve((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>Sign in\n please</body></html>'),
    );
    expect(await said(get('/imports'))).toBe(
      'ANSWER_NOT_JSON 1 | GET /imports was answered with an HTML page (text/html), beginning with "<html><body>Sign in please</body></html>". | Check the `url` of the environment; a proxy or a login page may have answered instead of the service.',
    );
  });

  test('is unknown if its JSON breaks off', async () => {
    const { get } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":2,"results":[{"gu'),
    );
    expect(await said(get('/imports'))).toContain(
      'ANSWER_NOT_JSON 1 | GET /imports was answered with something that is not a complete JSON object (application/json)',
    );
  });

  test('is unknown if its connection breaks off', async () => {
    const { get } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"count"');
      response.destroy();
    });
    expect(await said(get('/imports'))).toMatch(
      /^NETWORK 1 \| GET \/imports got no answer from http:\/\/127\.0\.0\.1:\d+\/v1: /,
    );
    expect(seen.filter(({ method }) => method === 'GET')).toHaveLength(4);
  });

  test.each([200, 400])(
    'is cut if it is a page with %s that repeats the password, and the password is not in it',
    async (status) => {
      const page = `<html><body>${'.'.repeat(60)}secret "word and more</body></html>`;
      const { get } = await serve((_, response) =>
        response.writeHead(status, { 'Content-Type': 'text/html' }).end(page),
      );
      const error = await failure(get('/imports'));
      expect(error.message).toContain('....[reda');
      expect(`${error.message}${(error as ServiceError).body}${traced}`).not.toContain('secr');
    },
  );

  test('keeps its status, its codes and its body as an error', async () => {
    const body = {
      status: 400,
      errors: [
        { code: 3001, message: 'The attribute "name" is required.' },
        { code: 3004, message: 'Not recognized.' },
      ],
    };
    const { write } = await serve((_, response) => json(response, 400, body));
    const error = await failure(write('POST', '/imports', { json: {} }));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'SERVICE_ERROR',
      status: 400,
      problems: body.errors,
      body: JSON.stringify(body),
    });
    expect(error.message).toBe(
      'POST /imports was answered with 400: The attribute "name" is required. (3001) Not recognized. (3004)',
    );
    expect((error as ServiceError).has(3004)).toBe(true);
  });

  test('shows no GUID in a message, neither of the path nor of the service; the trace keeps them', async () => {
    const [definition, run] = ['A1B2C3D4E5F6G7H8I9J0', 'RUN45678901234567890'];
    const answers = [json400(3011, `The guid "${run}" is not valid.`), `<html>${run}`, `{"guid":"${run}","st`];
    const { get, write } = await serve((_, response) => {
      const text = answers.shift() ?? '';
      response.writeHead(text.startsWith('{"status') ? 400 : 200, { 'content-type': 'text/plain' }).end(text);
    });
    const path = `/imports/${definition}/runs/${run}`;
    const all = [await said(get(path)), await said(get(path)), await said(write('PUT', path, { json: {} }))];
    expect(all[0]).toBe(
      'SERVICE_ERROR 1 | GET /imports/{guid}/runs/{guid} was answered with 400: The guid "{guid}" is not valid. (3011) | undefined',
    );
    for (const text of all) expect(text).not.toMatch(/\b(?=\d*[A-Z])[A-Z0-9]{20}\b/);
    server?.closeAllConnections();
    server?.close();
    expect(await said(get(path))).not.toMatch(/\b(?=\d*[A-Z])[A-Z0-9]{20}\b/);
    expect(traced.join('\n')).toContain(`> PUT ${path}`);
    expect(traced.join('\n')).toContain(`"The guid \\"${run}\\" is not valid."`);
  });

  test.each(['<html>ok</html>', '{"guid":"x'])('of 200 and %s to a write may mean that it was done', async (text) => {
    const { write } = await serve((_, response) => response.writeHead(201).end(text));
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect(await said(write(method, '/w', { json: {} }))).toMatch(
        /^WRITE_UNANSWERED 1 \| \w+ \/w was answered with 201 and (an HTML page|something that is not a complete JSON object) \(no content type\), beginning with ".*"; the request may or may not have taken effect\. \| The request was not repeated\./,
      );
    }
    expect(seen.filter(({ url }) => url === '/v1/w')).toHaveLength(3);
  });

  test('of 403 is a matter of permission', async () => {
    const { get } = await serve((_, response) =>
      json(response, 403, { status: 403, errors: [{ code: 3024, message: 'No privileges.' }] }),
    );
    expect(await said(get('/x'))).toBe(
      'PERMISSION 6 | GET /x was answered with 403: No privileges. (3024) | The user of this environment may not have permission.',
    );
  });

  test('a used-up quota is not requested again', async () => {
    const { get } = await serve((_, response) =>
      json(response, 429, { status: 429, errors: [{ code: 4084, message: 'Too many.' }] }, { 'Retry-After': '3600' }),
    );
    expect(await said(get('/x'))).toContain('QUOTA_EXHAUSTED 4');
    expect(seen).toHaveLength(2);
  });

  test('may ask for a short pause, which is kept', async () => {
    let asked = 0;
    const { get, usage } = await serve((_, response) => {
      asked += 1;
      if (asked === 1) json(response, 429, { status: 429, errors: [] }, { 'RETRY-AFTER': '0' });
      else
        json(
          response,
          200,
          {},
          { 'X-REQUESTS-REMAINING': '41', 'x-next-request-limit-reset': 'Sun, 22 Nov 2026 08:00:00 GMT' },
        );
    });
    await get('/x');
    expect(usage).toEqual({ used: 2, remaining: 41, reset: '2026-11-22T08:00:00.000Z' });
  });

  describe('pauses', () => {
    const REFUSED = { status: 429, errors: [{ code: 4084, message: 'Too many.' }] };
    const real = { clock: () => Date.now(), timeout: 5_000 };
    const date = (inSeconds: number): string => new Date(Date.now() + inSeconds * 1000).toUTCString();

    test.each([
      ['seconds', 429, () => '1', 1],
      ['a date', 429, () => date(3), 1],
      ['a date that has passed', 429, () => date(-60), 0],
      ['nothing', 429, () => undefined, 0],
      ['seconds, from a service that is not available', 503, () => '1', 1],
    ])('a write or read that a limit refused is sent again after %s', async (_, status, retryAfter, pauses) => {
      let asked = 0;
      await serve((__, response) => {
        asked += 1;
        const text = retryAfter();
        if (asked > 1) json(response, 200, { ok: true });
        else json(response, status, REFUSED, text === undefined ? {} : { 'Retry-After': text });
      });
      await client?.close();
      const waits: number[] = [];
      const { get, write } = open(address(), undefined, { ...real, onWait: (seconds) => waits.push(seconds) });
      expect(await (status === 429 ? write('POST', '/x', { json: {} }) : get('/x'))).toEqual({ ok: true });
      expect(asked).toBe(2);
      expect(waits).toHaveLength(pauses);
    });

    test('a write that met 503 is not sent again, and counts as unknown', async () => {
      const { write } = await serve((_, response) => json(response, 503, REFUSED, { 'Retry-After': '0' }));
      expect(await said(write('POST', '/x', { json: {} }))).toMatch(
        /^WRITE_UNANSWERED 1 \| POST \/x was answered with 503/,
      );
      expect(seen).toHaveLength(2);
    });

    test.each([
      ['seconds', { 'Retry-After': '3600' }, 'The quota is used up; try again in 3600 s.'],
      [
        'a date',
        { 'Retry-After': 'Fri, 01 Jan 2100 00:00:00 GMT' },
        'The quota is used up; try again after Fri, 01 Jan 2100 00:00:00 GMT.',
      ],
      [
        'the reset of a used-up quota',
        { 'x-requests-remaining': '0', 'x-next-request-limit-reset': 'Fri, 01 Jan 2100 00:00:00 GMT' },
        'The quota is used up.',
      ],
    ])('a pause longer than --timeout does not begin: %s', async (_, headers, hint) => {
      const { get } = await serve((__, response) => json(response, 429, REFUSED, headers as Record<string, string>));
      expect(await said(get('/x'))).toBe(
        `QUOTA_EXHAUSTED 4 | GET /x was answered with 429: Too many. (4084) | ${hint}`,
      );
      expect(seen).toHaveLength(2);
    });

    test('pauses and repeats of one request take no longer than --timeout together', async () => {
      await serve((_, response) => json(response, 429, REFUSED, { 'Retry-After': '1' }));
      await client?.close();
      const { get } = open(address(), undefined, { ...real, timeout: 2_500 });
      expect(await said(get('/x'))).toContain('QUOTA_EXHAUSTED 4');
      const asked = seen.filter(({ url }) => url === '/v1/x').length;
      expect(asked).toBeLessThanOrEqual(3);
    });

    test('an answer that trickles without end is given up', async () => {
      await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{');
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      });
      await client?.close();
      const { get } = open(address(), undefined, { ...real, timeout: 400 });
      expect(await said(get('/x'))).toMatch(
        /^NETWORK 1 \| GET \/x got no answer from .*: it came in pieces, and was not complete after 0\.4 s \(`--timeout`\)/,
      );
    });

    test('an answer larger than any list is not read', { timeout: 60_000 }, async () => {
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on('drain', more);
        more();
      });
      await client?.close();
      const { get } = open(address(), undefined, { ...real, timeout: 60_000 });
      expect(await said(get('/x'))).toContain(
        'ANSWER_UNEXPECTED 1 | GET /x was answered with more than 256 MB, which is too large to read.',
      );
    });
  });

  test('a list without results does not count as an empty one', async () => {
    const reader = await serve((_, response) => json(response, 200, { count: 0 }));
    expect(await said(listPages(reader, '/imports', 'paged'))).toContain(
      'ANSWER_UNEXPECTED 1 | GET /imports was answered without the list "results".',
    );
  });
});

describe('logging in', () => {
  test('gives exit 6 with advice after a refusal', async () => {
    const { get } = await serve(
      (_, response) => json(response, 200, {}),
      (_, response) => json(response, 400, { status: 400, errors: [{ code: 4001, message: 'Not valid.' }] }),
    );
    expect(await said(get('/x'))).toMatch(
      /^LOGIN_REFUSED 6 \| POST \/login was answered with 400: Not valid\. \(4001\) \| The login was sent to http:\S+\/login by ann@example\.com.*\. Check each of these\.$/,
    );
  });

  const elsewhere = (): string =>
    `The URL was ${address()}/login. Check the \`url\` in sync.config.yaml, including the version at its end (such as /v1), the \`profile\`, and any proxy.`;

  test.each<[string, Handler, string]>([
    [
      '404 without a word',
      (_, response) => response.writeHead(404).end(),
      'LOGIN_REFUSED 6 | POST /login was answered with 404 and an empty body.',
    ],
    [
      '404 in words',
      (_, response) => json(response, 404, { status: 404, errors: [{ code: 3024, message: 'Not found.' }] }),
      'LOGIN_REFUSED 6 | POST /login was answered with 404: Not found. (3024)',
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: '/sign-in' }).end(),
      'LOGIN_REFUSED 6 | POST /login was answered with 302 and an empty body.',
    ],
    [
      'a page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hi</html>'),
      'ANSWER_NOT_JSON 1 | POST /login was answered with an HTML page (text/html), beginning with "<html>Hi</html>".',
    ],
  ])('%s names the URL that was tried', async (_, login, message) => {
    const { get } = await serve((_, response) => json(response, 200, {}), login);
    expect(await said(get('/x'))).toBe(`${message} | ${elsewhere()}`);
  });

  test('reports an unknown host', async () => {
    expect(await said(open('https://nowhere.invalid/v1').get('/x'))).toMatch(
      /^NETWORK 1 \| POST \/login got no answer from https:\/\/nowhere\.invalid\/v1: .* \| Check the host name of the `url` in sync\.config\.yaml, the network and its DNS\.$/,
    );
  });

  test('another workspace than the configured one ends everything', async () => {
    await serve((_, response) => json(response, 200, {}));
    await client?.close();
    expect(await said(open(address(), '77').workspace())).toBe(
      'WORKSPACE_MISMATCH 6 | The configuration has workspace 77, but the login opened workspace 1 ("W"). | Nothing was read or changed. Correct `workspaceId`, or log in as a user of that workspace.',
    );
  });

  test('an answer without token is reported', async () => {
    const { workspace } = await serve(
      (_, response) => json(response, 200, {}),
      (_, response) => json(response, 200, { token: 'x' }),
    );
    expect(await said(workspace())).toContain(
      'ANSWER_UNEXPECTED 1 | The login answer has no session token (expected one of sessionId).',
    );
  });

  test('a token that no header can carry is reported', async () => {
    const { workspace } = await serve(
      (_, response) => json(response, 200, {}),
      (_, response) => json(response, 200, { sessionId: 'a\r\nb' }),
    );
    expect(await said(workspace())).toContain(
      'ANSWER_UNEXPECTED 1 | The login answer has a session token with characters that no header can carry.',
    );
  });

  test('a login with a used-up quota is not a wrong password', async () => {
    const { get } = await serve(
      (_, response) => json(response, 200, {}),
      (_, response) =>
        json(response, 429, { status: 429, errors: [{ code: 4084, message: 'Too many.' }] }, { 'Retry-After': '3600' }),
    );
    expect(await said(get('/x'))).toBe(
      'QUOTA_EXHAUSTED 4 | POST /login was answered with 429: Too many. (4084) | The quota is used up; try again in 3600 s.',
    );
  });

  test('a login whose answer is lost changed nothing, and is sent again', async () => {
    let asked = 0;
    const { get } = await serve(
      (_, response) => json(response, 200, { ok: true }),
      (_, response) => {
        asked += 1;
        if (asked === 1) response.destroy();
        else json(response, 200, { sessionId: 'S', workspaceId: 1, workspaceName: 'W' });
      },
    );
    expect(await get('/x')).toEqual({ ok: true });
    expect(asked).toBe(2);
  });

  test('a login that is lost again and again is reported', { timeout: 20_000 }, async () => {
    const { get } = await serve(
      (_, response) => json(response, 200, {}),
      (_, response) => response.destroy(),
    );
    expect(await said(get('/x'))).toMatch(
      /^NETWORK 1 \| POST \/login got no answer from http:\/\/127\.0\.0\.1:\d+\/v1: /,
    );
    expect(seen).toHaveLength(4);
  });

  test.each([
    ['another field', JSON.stringify({ token: 'hush', more: { key: 'hush' }, list: ['hush'], workspaceName: 'W' })],
    ['a body that breaks off', '{"sessionId":"hush'],
    ['plain text', 'hush'],
  ])('a token in %s is in no message and no trace', async (_, body) => {
    const { workspace } = await serve(
      (__, response) => json(response, 200, {}),
      (__, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    expect(await said(workspace())).not.toContain('hush');
    expect(traced.join('\n')).not.toContain('hush');
    expect(traced[1]).toMatch(
      /^< 200 in 0 ms (\{"token":"\[redacted\]","more":.*"workspaceName":"W"\}|\(\d+ characters\))$/,
    );
  });

  test('a session that ended is renewed by one login for all that wait', async () => {
    const { get } = await serve((request, response) => {
      if (request.headers['service-session-id'] === 'S1')
        json(response, 401, { status: 401, errors: [{ code: 401, message: 'No token.' }] });
      else json(response, 200, { ok: true });
    });
    const answers = await Promise.all([get('/a'), get('/b'), get('/c')]);
    expect(answers).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect(seen.filter(({ url }) => url === '/v1/login')).toHaveLength(2);
  });

  test('a session that ends again and again is an error that says why', async () => {
    const { get } = await serve((_, response) =>
      json(response, 401, { status: 401, errors: [{ code: 401, message: 'No token.' }] }),
    );
    expect(await said(get('/a'))).toMatch(
      /^LOGIN_REFUSED 6 \| GET \/a was answered with 401: No token\. \(401\) \| Session number 5 of ann@example\.com ended soon after its login\..*so another program or person is logging in as that user\./,
    );
    expect(seen.filter(({ url }) => url === '/v1/login')).toHaveLength(5);
  });
});

describe('requests', () => {
  test('every request says its purpose, and no trace shows a secret', async () => {
    const { get } = await serve((_, response) => json(response, 200, { name: 'x' }));
    await get('/imports', { offset: 0, limit: 400 });
    expect(seen.map(({ headers }) => [headers['service-usage-reason'], headers['user-agent']])).toEqual([
      ['example/1', 'dexsync/0'],
      ['example/1', 'dexsync/0'],
    ]);
    expect(seen[0]?.body).toContain('secret \\"word');
    expect(traced).toEqual([
      '> POST /login {"email":"ann@example.com","password":"[redacted]"}',
      '< 200 in 0 ms {"sessionId":"[redacted]","workspaceId":1,"workspaceName":"W"}',
      '> GET /imports?offset=0&limit=400',
      '< 200 in 0 ms {"name":"x"}',
    ]);
  });

  test('a read is sent again after a passing fault, a write never', async () => {
    const { get, write } = await serve((_, response) => json(response, 503, { status: 503, errors: [] }));
    expect(await said(get('/r'))).toContain('SERVICE_ERROR');
    expect(await said(write('POST', '/w', { json: {} }))).toContain('WRITE_UNANSWERED');
    expect(seen.filter(({ url }) => url === '/v1/r')).toHaveLength(4);
    expect(seen.filter(({ url }) => url === '/v1/w')).toHaveLength(1);
  });
});

describe('addresses', () => {
  test('plain http to another machine is refused before anything is sent', () => {
    expect(() => open('http://plm.example.com/v1')).toThrow(
      'http://plm.example.com/v1 would send the password unencrypted to another machine.',
    );
  });
  test.each([
    'https://ann:hush@plm.example.com/v1',
    'http://ann:hush@plm.example.com/v1',
    'ftp://ann:hush@plm.example.com',
    'ann:hush@plm.example.com',
    'https://hush@plm.example.com',
  ])('%s is refused, and nobody gets the password', (url) => {
    const refused = (): string => {
      try {
        open(url);
        return '';
      } catch (error) {
        return `${(error as DexsyncError).code} ${(error as DexsyncError).message} ${(error as DexsyncError).hint}`;
      }
    };
    expect(refused()).toMatch(/^CONFIG_INVALID .*plm\.example\.com/);
    expect(refused()).not.toContain('hush');
    if (url.startsWith('http')) expect(refused()).toContain('credentials');
  });
  test.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://plm.example.com/v1'])(
    '%s is accepted',
    (url) => {
      expect(() => open(url)).not.toThrow();
    },
  );
  test.each(['plm.example.com', 'ftp://plm.example.com', ''])('"%s" is not an address', (url) => {
    expect(() => open(url)).toThrow('is not the URL of a service.');
  });
});

describe('lists', () => {
  const entries = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({ guid: `G${from + index}` }));

  test.each([
    [0, 1],
    [1, 1],
    [399, 1],
    [400, 2],
    [798, 2],
    [799, 3],
    [1000, 3],
  ])('%i entries take %i requests', async (count, requests) => {
    const reader = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const offset = Number(searchParams.get('offset'));
      const page = entries(offset, Math.min(count, offset + Number(searchParams.get('limit'))));
      json(response, 200, { count: page.length, results: page });
    });
    const all = await listPages(reader, '/imports', 'paged');
    expect(all).toEqual(entries(0, count));
    expect(seen.filter(({ method }) => method === 'GET')).toHaveLength(requests);
  });

  test('an entry that is deleted between two pages is noticed, and the list is read again', async () => {
    let all = entries(0, 900);
    let asked = 0;
    const reader = await serve((request, response) => {
      asked += 1;
      if (asked === 2) all = all.slice(1);
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const offset = Number(searchParams.get('offset'));
      json(response, 200, { results: all.slice(offset, offset + Number(searchParams.get('limit'))) });
    });
    expect(await listPages(reader, '/imports', 'paged')).toEqual(entries(1, 900));
  });

  test('a list that never keeps still is an error', async () => {
    let asked = 0;
    const reader = await serve((_, response) => {
      asked += 1;
      json(response, 200, { results: entries(asked * 1000, asked * 1000 + 400) });
    });
    expect(await said(listPages(reader, '/imports', 'paged'))).toContain(
      'SERVICE_ERROR 1 | GET /imports kept changing while it was read.',
    );
  });

  test('a whole list is one request', async () => {
    const reader = await serve((_, response) => json(response, 200, { results: entries(0, 1000) }));
    expect(await listPages(reader, '/settings/items/categories', 'whole')).toHaveLength(1000);
    expect(seen).toHaveLength(2);
  });
});
