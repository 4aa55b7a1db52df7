import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { openSecrets } from '#base/secrets.js';
import type { Event } from '#core/stream/event.js';
import type { Host } from '#project/host.js';
import { findList } from './internal.js';
import { ownVersion } from './own-version.js';

/** Options of a host; all but the folder may be left out. */
export interface HostOptions
  extends Partial<
    Pick<Host, 'clock' | 'nonce' | 'signal' | 'timeout' | 'patience' | 'waitForQuota' | 'trust' | 'input' | 'trace'>
  > {
  /** The folder to work in: the configuration is looked for here and above, and relative paths begin here. */
  readonly cwd: string;
  /**
   * The source of `${env.NAME}` in the configuration and of `DEXSYNC_…` variables: those of the process, or a few of
   * them. None by default, so that a project reads no secret of the process unless the program hands it over.
   */
  readonly variables?: Host['variables'];
  /**
   * Receives every event, in order and as it happens. An error that it throws is an uncaught exception, as in any
   * listener, and does not end the operation.
   */
  readonly onEvent?: (event: Event) => void;
  /** The command's name for others who find the environment in use, and for the history; `a program` by default. */
  readonly command?: string;
}

/**
 * Creates the surroundings of operations, with the clock, random numbers and version of this process; nothing else of
 * the process is read. Aborting `signal` ends an operation as Ctrl-C ends a command: what is in flight is finished and
 * recorded. One host serves any number of operations, one after the other or at once.
 */
export function createHost({ variables = {}, onEvent, signal, ...given }: HostOptions): Host {
  const aborted = signal === undefined ? new AbortController().signal : AbortSignal.any([signal]);
  // Every request in progress adds a listener.
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
    findList,
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
