import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a stub answers: with all keys that samples show or only those that all of them have, and GUIDs of a length. */
export interface StubOptions {
  readonly keys: 'all' | 'fewest';
  readonly guidLength: number;
}

type Shape = string | readonly Shape[] | { readonly [key: string]: Shape };

const FOLDER = new URL('../../schema/service/', import.meta.url);
const shapes = JSON.parse(readFileSync(new URL('shapes.json', FOLDER), 'utf8')) as Record<string, { answer?: Shape }>;
const endpoints = readFileSync(new URL('endpoints.tsv', FOLDER), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
  .map(([method = '', path = '', , paged, , , status = '']) => ({
    ...{ method, path, isPaged: paged === 'yes', status: Number.parseInt(status, 10) },
    pattern: new RegExp(`^${path.replaceAll('{guid}', '([^/]+)')}$`),
  }));

const ENTRIES = 3;

/**
 * A service that knows the published forms of answers and nothing else: it keeps no state, and each value only has the
 * right type. No workspace answers like this, but the interface rules none of it out.
 */
export class ShapeStub {
  readonly requests: string[] = [];
  readonly #options: StubOptions;
  readonly #server = createServer(async (request, response) => {
    for await (const _ of request);
    const { status, body } = this.#answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : JSON.stringify(body));
  });

  constructor(options: StubOptions) {
    this.#options = options;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer({ method = '', url = '' }: IncomingMessage): { status: number; body: unknown } {
    const { pathname, searchParams } = new URL(url, 'http://stub');
    this.requests.push(`${method} ${pathname}`);
    const endpoint = endpoints.find((one) => one.method === method && one.pattern.test(pathname));
    if (endpoint === undefined) return refusal(405, 'There is no such endpoint.');
    const shape = shapes[`${method} ${endpoint.path}`]?.answer;
    if (shape === undefined) return { status: endpoint.status, body: {} };
    const guid = endpoint.path.endsWith('{guid}') ? pathname.split('/').at(-1) : undefined;
    const body = this.#value(shape, { at: pathname, name: '', guid }) as Record<string, unknown>;
    if (!Array.isArray(body.results)) return { status: endpoint.status, body };
    const [offset, limit] = ['offset', 'limit'].map((name) =>
      Number(searchParams.get(name) ?? (name === 'limit' ? 20 : 0)),
    );
    const results = endpoint.isPaged ? body.results.slice(offset, (offset ?? 0) + (limit ?? 20)) : body.results;
    return { status: endpoint.status, body: { ...body, count: results.length, results } };
  }

  #value(
    shape: Shape,
    place: { readonly at: string; readonly name: string; readonly guid?: string | undefined },
  ): unknown {
    const { at, name, guid } = place;
    if (typeof shape === 'string') return this.#scalar(shape, place);
    if (Array.isArray(shape)) {
      const [element = 'string'] = shape as readonly Shape[];
      return Array.from({ length: ENTRIES }, (_, index) => this.#value(element, { at: `${at}#${index}`, name }));
    }
    const keys = Object.entries(shape as Readonly<Record<string, Shape>>).filter(
      ([key]) => key !== '|' && key !== '[]' && (this.#options.keys === 'all' || !key.endsWith('?')),
    );
    return Object.fromEntries(
      keys.map(([key, inner]) => {
        const plain = key.replace(/\?$/, '');
        const isOwn = plain === 'guid' && guid !== undefined;
        return [plain, isOwn ? guid : this.#value(inner, { at: `${at}/${plain}`, name: plain })];
      }),
    );
  }

  #scalar(written: string, { at, name }: { readonly at: string; readonly name: string }): unknown {
    const [types = '', values] = written.split(':');
    const kinds = types.split('|');
    if (kinds.includes('null') && (kinds.length === 1 || this.#options.keys === 'fewest')) return null;
    const number = createHash('sha256').update(at).digest().readUInt16BE();
    if (kinds.includes('number') || kinds.includes('integer')) return number;
    if (kinds.includes('boolean')) return number % 2 === 0;
    if (kinds.includes('array')) return [];
    if (values !== undefined) return values.split(',')[number % values.split(',').length];
    if (name === 'guid') return this.#guid(at);
    if (/date(time)?$/i.test(name)) return '2026-03-01T08:00:00Z';
    return name.includes('session') ? `${number}` : `${name} ${number}`;
  }

  #guid(at: string): string {
    const digits = createHash('sha512').update(at).digest('base64url').replaceAll(/[-_]/g, 'X').toUpperCase();
    return digits.slice(0, this.#options.guidLength);
  }
}

const refusal = (status: number, message: string) => ({
  status,
  body: { status, errors: [{ code: status, message }] },
});
