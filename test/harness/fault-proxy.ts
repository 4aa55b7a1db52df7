import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Answer, passOn, startProxy } from './proxy.js';

/** What happens to one request. `before` and `after`: the service saw it not, or did all of it; `twice`: it did it again. */
export type Fault =
  | 'killed before'
  | 'killed after'
  | 'cut before'
  | 'cut after'
  | 'answered 500 after'
  | 'answered 401 after'
  | 'answered the first time of twice that'
  | 'answered the last time of twice that'
  | 'met by another user before';

/**
 * A request of a command: method and path, without GUIDs and query, and which of those that look alike it is. Steps run side
 * by side, so the place in the order of all requests says nothing.
 */
export type RequestName = string;

export interface FaultProxy {
  readonly url: string;
  /** Every request that came, by name, since the proxy was armed. */
  readonly seen: RequestName[];
  /** Counts anew from here, and strikes once. */
  arm(striking?: Striking): void;
  /** Whether the fault was there. */
  hasStruck(): boolean;
}

/** Where a proxy strikes. */
export interface Striking {
  readonly request: RequestName;
  readonly fault: Fault;
  /** Ends the program, where the fault is to kill it; or is all that another user does meanwhile. */
  readonly act: () => Promise<void>;
}

/** Stands between dexsync and the service and strikes once; without a fault it only counts. */
export async function faultProxy(target: string, first?: Striking): Promise<FaultProxy> {
  const seen: RequestName[] = [];
  let striking = first;
  let struck = false;
  const url = await startProxy(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const alike = `${method} ${path.replace(/\?.*/, '').replaceAll(/\b[A-Z0-9]{20}\b/g, '*')}`;
    const name = `${alike} #${seen.filter((one) => one.startsWith(`${alike} #`)).length + 1}`;
    seen.push(name);
    let strike = !struck && striking?.request === name ? striking : undefined;
    if (strike !== undefined) struck = true;
    if (strike?.fault === 'met by another user before') {
      await strike.act();
      strike = undefined;
    }
    if (strike?.fault.endsWith('before')) return cut(strike, response);
    // A client that was killed while it sent never says the rest.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const answer = await deliver(strike?.fault, () => passOn(target, method, path, headers, body));
    if (strike === undefined || isRepeated(strike.fault)) {
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    return afterwards(strike, response);
  });
  return {
    url,
    seen,
    hasStruck: () => struck,
    arm(next) {
      seen.length = 0;
      striking = next;
      struck = false;
    },
  };
}

const isRepeated = (fault: Fault | undefined): boolean => fault?.endsWith('of twice that') === true;

/** The answer to a request that is delivered once, or twice in a row. */
async function deliver(fault: Fault | undefined, pass: () => Promise<Answer>): Promise<Answer> {
  const first = await pass();
  if (!isRepeated(fault)) return first;
  const last = await pass();
  return fault?.includes('last') ? last : first;
}

/** What comes of a request that the service has done. */
async function afterwards(strike: Striking, response: ServerResponse): Promise<void> {
  const [, status] = /^answered (\d+) after$/.exec(strike.fault) ?? [];
  if (status === undefined) return cut(strike, response);
  response.writeHead(Number(status), { 'content-type': 'application/json' });
  response.end(`{"status":${status},"errors":[{"code":9999,"message":"An unexpected error occurred."}]}`);
}

async function cut({ fault, act }: Striking, response: ServerResponse): Promise<void> {
  if (fault.startsWith('killed')) await act();
  response.destroy();
}
