import { buffer } from 'node:stream/consumers';
import { type Answer, passOn, startProxy } from './proxy.js';
import { spellings } from './spellings.js';

const answerOf = (status: number, type: string, text: string): Answer => ({
  status,
  headers: { 'content-type': type, 'x-request': 'repeated' },
  body: Buffer.from(text),
});

/** How a service repeats what it was sent, given as lines. */
export const ECHOES = {
  'an HTML page': (said) => answerOf(400, 'text/html', `<html><body>${said.join('<br>')}</body></html>`),
  'JSON errors': (said) =>
    answerOf(400, 'application/json', JSON.stringify({ errors: said.map((message) => ({ code: 1000, message })) })),
  'a list of headers': (said) => answerOf(400, 'text/plain', said.join('\n')),
  'a page with status 200': (said) => answerOf(200, 'text/html', `<p>${said.join('</p><p>')}</p>`),
  values: (said, answer) => ({ ...answer, body: Buffer.from(inValues(answer.body.toString(), said)) }),
} satisfies Record<string, (said: readonly string[], answer: Answer) => Answer>;

export type Echo = keyof typeof ECHOES;

/** A service that repeats all secrets that it was sent or gave, in every spelling, in its answer to one request. */
export async function echoingService(target: string) {
  const secrets = new Set<string>();
  let count = 0;
  let echo: { readonly as: Echo; readonly at: number } | undefined;
  const url = await startProxy(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    if (path.endsWith('/login')) secrets.add(JSON.parse(body.toString()).password);
    const answer = await passOn(target, method, path, headers, body);
    count += 1;
    for (const [name, value] of Object.entries(headers)) if (/session/i.test(name)) secrets.add(String(value));
    const isMeant =
      echo !== undefined && (echo.as === 'values' ? method === 'GET' && echo.at <= count : echo.at === count);
    const said = [...secrets].flatMap(spellings);
    // A message may show the first of them only.
    const turned = said.map((_, index) => said[(index + count * 7) % said.length] ?? '');
    const given = isMeant && echo !== undefined ? ECHOES[echo.as](turned, answer) : answer;
    const { 'content-length': _, 'transfer-encoding': __, ...rest } = given.headers;
    response.writeHead(given.status, rest).end(given.body);
  });
  return {
    url,
    secrets,
    /** Requests are counted from here on, from 1. What earlier commands logged in with is forgotten. */
    repeat(as: Echo, at: number): void {
      count = 0;
      secrets.clear();
      echo = { as, at };
    },
    requests: () => count,
  };
}

/** Names stay: objects are found by them. */
function inValues(text: string, said: readonly string[]): string {
  try {
    return JSON.stringify(JSON.parse(text), (field, value: unknown) =>
      field === 'description' ? said.slice(0, 3).join(' ') : value,
    );
  } catch {
    return text;
  }
}
