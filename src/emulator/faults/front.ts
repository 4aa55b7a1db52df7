import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import type { AnswerHistory, ArmedFaults, BackingService, OnStrike } from './armed-faults.js';
import type { FaultFile } from './fault-file.js';
import type { RuleReport } from './rule.js';

/** The faults of a running service. */
export interface Faults {
  /** Replaces all faults and resets their counts. Throws a FaultFileError. Awaits `onStrike` before a fault acts. */
  set(file: FaultFile, onStrike?: OnStrike): Promise<void>;
  report(): readonly RuleReport[];
}

/** Intercepts requests before the service sees them. Loads the code of faults only when some are set. */
export class FaultFront implements Faults {
  readonly #behind: BackingService;
  readonly #log: (text: string) => void;
  readonly #memory: AnswerHistory = new Map();
  #armed: ArmedFaults | undefined;

  constructor(behind: BackingService, log: (text: string) => void) {
    this.#behind = behind;
    this.#log = log;
  }

  async set(file: FaultFile, onStrike?: OnStrike): Promise<void> {
    const { ArmedFaults: Armed } = await import('./armed-faults.js');
    const armed = new Armed(file, this.#behind, this.#memory, onStrike);
    this.#armed = file.faults.length === 0 ? undefined : armed;
  }

  report(): readonly RuleReport[] {
    return this.#armed?.report() ?? [];
  }

  /** Creates a server whose requests pass through here; for `serverFactory` of fastify. */
  readonly createServer = (handle: RequestListener, options: FastifyServerOptions): Server => {
    const { http, keepAliveTimeout = 0, requestTimeout = 0 } = options as FastifyServerOptions & { http?: object };
    return createServer({ ...http, keepAliveTimeout, requestTimeout }, (request, response) => {
      const { method = '', url = '' } = request;
      const path = url.split('?', 1)[0] ?? url;
      if (this.#armed?.mayMeet(method, path)) void this.#meet(this.#armed, path, request, response);
      else handle(request, response);
    });
  };

  async #meet(armed: ArmedFaults, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [{ buffer }, { send }] = await Promise.all([import('node:stream/consumers'), import('./send.js')]);
      const { method = '', url = '', headers } = request;
      // A client that disconnects while sending never sends the rest.
      const body = await buffer(request).catch(() => undefined);
      if (body === undefined) return;
      send(await armed.meet({ method, url, path, headers, body }), response);
    } catch (error) {
      if (!response.destroyed) this.#log(`${request.method} ${request.url}: ${(error as Error).stack}`);
      response.destroy();
    }
  }
}

/** Returns a line for each rule that never struck, so that a test that relies on it notices. */
export function describeUnstruckFaults(report: readonly RuleReport[]): string[] {
  return report.flatMap(({ method, path, do: action, matched, struck }, index) => {
    const about = [method, path, action].filter((one) => one !== undefined).join(' ');
    const count = matched === 1 ? '1 request' : `${matched} requests`;
    return struck > 0 ? [] : [`Fault ${index + 1} (${about}) never struck: ${count} matched.`];
  });
}
