import { buffer } from 'node:stream/consumers';
import { type Answer, passOn, startProxy } from './proxy.js';

export type { Answer };

export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Of requests with this method and path, which one it is, from 1. */
  readonly nth: number;
}

/** `drop`: the connection is cut without an answer; `cut`: after half of the body. */
export type Altered = Partial<Answer> | 'drop' | 'cut' | undefined;

/**
 * Stands before a real service and alters some of its answers. What it alters the service has done all the same; what is
 * answered `instead` never reaches it.
 */
export async function alteringProxy(
  target: string,
  alter: (exchange: Exchange, answer: Answer) => Altered,
  instead: (exchange: Exchange) => Answer | undefined | Promise<undefined> = () => undefined,
): Promise<string> {
  const seen = new Map<string, number>();
  return startProxy(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const nth = (seen.get(`${method} ${path}`) ?? 0) + 1;
    seen.set(`${method} ${path}`, nth);
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const answer =
      (await instead({ method, path, nth })) ?? (await passOn(target, method, path, request.headers, body));
    const altered = alter({ method, path, nth }, answer);
    if (altered === 'drop') return void response.destroy();
    const { status, headers, body: text } = { ...answer, ...(altered === 'cut' ? {} : altered) };
    const { 'content-length': _, 'transfer-encoding': __, ...rest } = headers;
    response.writeHead(status, { ...rest, ...(status === 204 ? {} : { 'content-length': text.length }) });
    if (altered !== 'cut') return void response.end(text);
    response.write(text.subarray(0, text.length / 2), () => setTimeout(() => response.destroy(), 50));
  });
}

/** Stands before a real service that writes other texts in its answers, and understands them in requests. */
export const translatingProxy = (
  target: string,
  { answer: translate, request: restore }: { answer: (text: string) => string; request: (text: string) => string },
): Promise<string> =>
  startProxy(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const { 'content-length': _, ...headers } = request.headers;
    const sent = Buffer.from(restore((await buffer(request)).toString()));
    const withLength = { ...headers, ...(sent.length === 0 ? {} : { 'content-length': String(sent.length) }) };
    const { status, headers: given, body } = await passOn(target, method, restore(path), withLength, sent);
    const text = Buffer.from(translate(body.toString()));
    const { 'content-length': __, 'transfer-encoding': ___, ...rest } = given;
    response.writeHead(status, { ...rest, ...(status === 204 ? {} : { 'content-length': text.length }) }).end(text);
  });
