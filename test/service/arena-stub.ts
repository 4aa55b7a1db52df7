import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

export interface Received {
  readonly request: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const { answers } = JSON.parse(readFileSync('test/service/arena-answers.json', 'utf8')) as {
  answers: Record<string, Answer | readonly Answer[]>;
};

/** The odd date of wire-facts 2, "Rate headers". */
const RESET = 'Fri, 02-May-2014 14:22:13 GMT-0700 (PDT)';

/** What wire-facts 2 says of any path that is not an endpoint. */
const NO_ENDPOINT: Answer = {
  status: 404,
  body: { status: 404, errors: [{ code: 404, message: 'No resource has been found.' }] },
};

/** Replays the answers, without the embedded workspace: both could share one misunderstanding. */
export async function arenaStub(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  let remaining = 990;
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url ?? '', 'http://stub');
    const name = `${request.method} ${url.pathname.replace(/^\/v1/, '')}`;
    const body = await text(request);
    received.push({ request: name, query: url.search, headers: request.headers, body });
    const times = received.filter((one) => one.request === name).length;
    const found = [answers[name] ?? NO_ENDPOINT].flat();
    const answer = (found[times - 1] ?? found.at(-1)) as Answer;
    remaining -= 1;
    reply.writeHead(answer.status ?? 200, {
      'content-type': 'application/json',
      'X-Arena-Requests-Remaining': remaining,
      'X-Arena-Next-Request-Limit-Reset': RESET,
      Server: 'ArenaSolutions',
    });
    reply.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, received };
}
