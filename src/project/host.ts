import type { Secrets } from '#base/secrets.js';
import type { Event } from '#core/stream/event.js';
import type { Variables } from './config/environment-settings.js';

/** What an operation may use of the world around it. Only cli.ts makes a real one. */
export interface Host {
  readonly cwd: string;
  readonly variables: Variables;
  readonly version: string;
  /** Whoever learns a secret adds it; whatever leaves the process passes it. */
  readonly secrets: Secrets;
  /** The command line, for the history. */
  readonly arguments?: readonly string[];
  readonly clock: () => Date;
  /** A new random name for a plan. */
  readonly nonce: () => string;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  /** How long a request may take, with its pauses and repeats, in milliseconds; of files: to begin or to go on. */
  readonly timeout?: number;
  /** What others are told who find the environment in use, such as `dexsync apply`. */
  readonly command?: string;
  /** How long to wait for another dexsync that uses the environment, in milliseconds; `Infinity` for as long as it takes. */
  readonly patience?: number;
  /** The address that a workspace had before, or `none`: for one that the ledger may know by another. */
  readonly movedFrom?: string;
  /** The same question, for a person. */
  readonly askMoved?: (change: AddressChange) => Promise<boolean>;
  /** @internal `yes`: what a ledger has lost is what the operation is about. */
  readonly goesOnAfterLoss?: 'yes';
  /** `yes`: where the day's requests come to an end, the reset is waited for. */
  readonly waitForQuota?: 'yes';
  /**
   * `yes`: modules that the configuration lists under `kinds` are imported and run, with all permissions of this process.
   * So does the variable `DEXSYNC_TRUST=yes`. Nothing in a configuration or a manifest can say it.
   */
  readonly trust?: 'yes';
  /** Standard input, where there is one. */
  readonly input?: () => AsyncIterable<Uint8Array>;
  /** Where `--trace` writes. */
  readonly trace?: (line: string) => void;
}

/** A workspace at an address where the ledger knows nothing of it, and another one where it knows the same workspace id. */
export interface AddressChange {
  readonly environment: string;
  /** The name of the workspace. */
  readonly workspace: string;
  /** Host and port. */
  readonly from: string;
  readonly to: string;
}

/** The same host, which is not told of events of these types. */
export const withoutEvents = (host: Host, ...types: readonly Event['type'][]): Host => ({
  ...host,
  emit: (event) => (types.includes(event.type) ? undefined : host.emit(event)),
});

/** What every command that works on a project can be given. */
export interface ProjectOptions {
  readonly config?: string;
  readonly environment?: string;
  /** Manifests to use instead of those of the configuration: files, folders, or `-` for standard input. */
  readonly files?: readonly string[];
  /** Variables by name, and YAML files of them; they win over those of the configuration. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly variableFiles?: readonly string[];
  /** Where the ledger, the embedded workspaces and the like are kept; `.dexsync` beside the configuration by default. */
  readonly dataFolder?: string;
  /** Why it is done, for the journal and for others who find the environment in use. */
  readonly reason?: string;
}
