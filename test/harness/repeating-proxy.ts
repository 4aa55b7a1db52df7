import { buffer } from 'node:stream/consumers';
import { passOn, startProxy } from './proxy.js';

/** Which of two answers the client gets. */
export type Answered = 'first' | 'last';

/** Stands before a real service and delivers some requests twice, as a gateway does that repeats what it holds for lost. */
export const repeatingProxy = (
  target: string,
  twice: (request: { readonly method: string; readonly path: string }) => Answered | undefined,
): Promise<string> =>
  startProxy(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const answered = twice({ method, path });
    const first = await passOn(target, method, path, headers, body);
    const last = answered === undefined ? first : await passOn(target, method, path, headers, body);
    const answer = answered === 'last' ? last : first;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
