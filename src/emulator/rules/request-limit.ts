import { insertUsage, type NewUsage, usagesSince } from '../store/usage.js';
import { pacificDay, zulu } from './date-times.js';
import { ServiceError } from './service-error.js';
import type { Workspace } from './workspace.js';

/** The state of the request limit, as answers report it. */
interface Allowance {
  readonly remaining: number;
  readonly reset: Date;
  readonly secondsToReset: number;
}

/**
 * Counts requests in the window that starts at midnight Pacific Time (wire-facts 2). Failed requests count; logging in,
 * requests without a session and requests refused for the limit itself do not.
 */
export class RequestLimit {
  readonly #workspace: Workspace;
  #window: { start: Date; end: Date };
  #used: number;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#window = pacificDay(workspace.clock());
    this.#used = usagesSince(workspace.usage, this.#window.start.getTime());
  }

  /** Counts one request against the limit, or refuses it with 4084. */
  take(): void {
    const { remaining, reset } = this.allowance();
    if (remaining === 0) {
      const limit = this.#workspace.requestLimit;
      const message = `All ${limit} requests of this day are used. The next are possible at ${zulu(reset)}.`;
      throw new ServiceError({ code: 4084, message });
    }
    this.#used += 1;
  }

  /** Logs a request that {@link take} admitted. */
  record(usage: NewUsage): void {
    insertUsage(this.#workspace.usage, this.#workspace.clock().getTime(), usage);
  }

  allowance(): Allowance {
    const now = this.#workspace.clock();
    if (now.getTime() >= this.#window.end.getTime()) {
      this.#window = pacificDay(now);
      this.#used = 0;
    }
    const reset = this.#window.end;
    return {
      remaining: Math.max(0, this.#workspace.requestLimit - this.#used),
      reset,
      secondsToReset: Math.ceil((reset.getTime() - now.getTime()) / 1000),
    };
  }
}

/** Admits every request and logs none: for requests that the embedded workspace sends to itself. */
export class NoRequestLimit extends RequestLimit {
  override take(): void {}
  override record(): void {}
}
