import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openHosted } from '../harness/hosted-workspace.js';
import { differencesFromDocument } from '../harness/openapi-check.js';
import { type Answer, type Method, Session, send } from '../harness/session.js';
import { type Bindings, differences, fill, type Json, loadScenarios, type Pair } from './pairs.js';

/** The scenarios in which the dialects differ by the header of the session only (wire-facts 0). */
const IN_EVERY_DIALECT = [
  'files.json',
  'import-definitions.json',
  'number-reservations.json',
  'sourcing.json',
  'user-groups.json',
];

const cases = loadScenarios().flatMap(({ file, pairs }) => {
  const dialects = IN_EVERY_DIALECT.includes(file) ? ['reference', 'arena'] : ['reference'];
  return dialects.map((dialect) => ({ file, pairs, dialect }));
});

describe.each(cases)('the embedded workspace answers as the documents say: $file in $dialect', ({ pairs, dialect }) => {
  test(`${pairs.length} pairs in order`, async () => {
    const { url, email, password, workspaceId, stop } = await openHosted('--dialect', dialect);
    onTestFinished(() => void stop());
    const { token } = await Session.open({ url, email, password, workspaceId, dialect });
    const bindings: Bindings = new Map<string, Json>(Object.entries({ email, password, workspaceId, session: token }));
    for (const pair of pairs) {
      const answer = await play(url, pair, bindings, dialect);
      const { method, path } = pair.request;
      const outside = await differencesFromDocument(dialect, method, fill(path, bindings), answer);
      expect(outside, `${pair.name} (OpenAPI)`).toEqual([]);
      expect(compare(pair, answer, bindings), `${pair.name} (${pair.cites})`).toEqual([]);
    }
  });
});

test('every pair cites its section', () => {
  const cites = loadScenarios().flatMap(({ pairs }) => pairs.map((pair) => pair.cites));
  expect(cites.length).toBeGreaterThan(0);
  for (const cite of cites) expect(cite).toMatch(/^(interface|wire-facts) \d/);
});

async function play(url: string, { request, poll }: Pair, bindings: Bindings, dialect: string): Promise<Answer> {
  for (;;) {
    const path = fill(request.path, bindings);
    const headers = inDialect(
      fill(request.headers ?? { 'Service-Session-Id': '{session}' }, bindings) as Record<string, string>,
      dialect,
    );
    const answer = await send(url, request.method as Method, path, bodyOf(request, bindings), headers);
    if (!poll || !['CREATED', 'RUNNING', 'IN_PROCESS'].includes(answer.body.status)) return answer;
    await sleep(10);
  }
}

/** The pairs name the header of the session as `reference` does. */
function inDialect(headers: Record<string, string>, dialect: string): Record<string, string> {
  const { 'Service-Session-Id': session, ...rest } = headers;
  return session === undefined || dialect === 'reference' ? headers : { ...rest, arena_session_id: session };
}

function bodyOf(request: Pair['request'], bindings: Bindings): unknown {
  if (!request.multipart) return request.body === undefined ? undefined : fill(request.body, bindings);
  const form = new FormData();
  for (const [name, part] of Object.entries(request.multipart)) {
    if (typeof part === 'string') form.set(name, part);
    else form.set(name, new Blob([part.content]), part.filename);
  }
  return form;
}

function compare({ answer }: Pair, { status, headers, text, body }: Answer, bindings: Bindings): string[] {
  const named = Object.fromEntries(Object.keys(answer.headers ?? {}).map((name) => [name, headers.get(name) ?? '']));
  return [
    ...differences(answer.status, status, bindings, 'status'),
    ...differences(answer.headers ?? {}, named, bindings, 'headers'),
    ...(answer.body === undefined ? [] : differences(answer.body, body as Json, bindings)),
    ...(answer.body === undefined ? differences(answer.text ?? '', text, bindings, 'text') : []),
  ];
}
