import type { Event } from '../apply/events.js';
import type { Variables } from '../config/environment.js';

/** What an operation may use of the world around it. Only cli.ts makes a real one. */
export interface Host {
  readonly cwd: string;
  readonly variables: Variables;
  readonly version: string;
  readonly clock: () => Date;
  /** A new random name for a plan. */
  readonly nonce: () => string;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  /** Where `--trace` writes. */
  readonly trace?: (line: string) => void;
}

/** What every command that works on a project can be told. */
export interface ProjectOptions {
  readonly config?: string;
  readonly environment?: string;
}
