import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { openSecrets } from '#base/secrets.js';
import type { Event } from '#core/stream/event.js';
import type { Host } from '#project/host.js';
import { ownVersion } from './own-version.js';

/** What a program chooses; all but the folder may be left out. */
export interface HostOptions
  extends Partial<
    Pick<Host, 'clock' | 'nonce' | 'signal' | 'timeout' | 'patience' | 'waitForQuota' | 'trust' | 'input' | 'trace'>
  > {
  /** The folder to work in: the configuration is looked for here and above, and relative paths begin here. */
  readonly cwd: string;
  /**
   * What `${env.NAME}` in the configuration and `DEXSYNC_…` variables are read from: those of the process, or a few of them.
   * None by default, so that a project reads no secret of the process unless the program hands it over.
   */
  readonly variables?: Host['variables'];
  /**
   * Told everything that happens, in order and while it happens. What it throws is an uncaught exception, as in any
   * listener, and does not end the operation.
   */
  readonly onEvent?: (event: Event) => void;
  /** What others are told who find the environment in use, and the history records; `a program` by default. */
  readonly command?: string;
}

/**
 * The surroundings of operations, with the clock, the random numbers and the version of this process. Nothing of the
 * process is read but that. Aborting `signal` ends an operation as Ctrl-C ends a command: what is in flight is finished
 * and recorded. One host serves any number of operations, one after the other or at once.
 */
export function createHost({ variables = {}, onEvent, signal, ...given }: HostOptions): Host {
  const aborted = signal === undefined ? new AbortController().signal : AbortSignal.any([signal]);
  // Every request in progress listens.
  setMaxListeners(0, aborted);
  const secrets = openSecrets(variables);
  return {
    clock: () => new Date(),
    nonce: randomUUID,
    command: 'a program',
    ...given,
    variables,
    secrets,
    version: ownVersion(),
    signal: aborted,
    emit: onEvent === undefined ? () => undefined : (event) => tell(onEvent, secrets.redactValue(event)),
  };
}

function tell(listener: (event: Event) => void, event: Event): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
