import type { FastifyInstance } from 'fastify';
import type { Knowledge } from './knowledge.js';
import type { Sessions } from './sessions.js';

/** Milliseconds between two signs of life, which proxies wait for. */
const BEAT = 25_000;

/** Streams of one person; the oldest ends for another one. */
const MOST = 12;

/** Tells browsers that something else is known than on their page, for which they ask again. */
export function serveLive(
  server: FastifyInstance,
  { onChange, version }: Pick<Knowledge, 'onChange' | 'version'>,
  { isOpen }: Pick<Sessions, 'isOpen'>,
): void {
  const streams = new Map<NodeJS.WritableStream, string>();
  const each = (text: string): void => {
    for (const [stream, id] of streams) {
      if (isOpen(id)) stream.write(text);
      else stream.end();
    }
  };
  const forget = onChange(() => each(CHANGED));
  const beat = setInterval(() => each(': still here\n\n'), BEAT);
  server.addHook('preClose', async () => {
    forget();
    clearInterval(beat);
    for (const stream of streams.keys()) stream.end();
  });
  server.get<{ Querystring: { since?: unknown } }>('/live', async (request, reply) => {
    const id = request.session?.id ?? '';
    const own = [...streams].filter(([, owner]) => owner === id).map(([stream]) => stream);
    if (own.length >= MOST) own[0]?.end();
    reply.hijack();
    const stream = reply.raw;
    stream.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    } as Record<string, string>);
    streams.set(stream, id);
    stream.once('close', () => streams.delete(stream));
    stream.write(`retry: 3000\n\n${request.query.since === version() ? '' : CHANGED}`);
  });
}

const CHANGED = 'event: changed\ndata: \n\n';
