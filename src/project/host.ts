import type { Secrets } from '#base/secrets.js';
import type { RowSource } from '#core/jobs/source.js';
import type { RowTable, TableRow } from '#core/manifest/row-table.js';
import type { Event } from '#core/stream/event.js';

/** The variables of the process, passed in: only cli.ts reads the real ones. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The surroundings that an operation may use. Only cli.ts creates real ones. */
export interface Host {
  readonly cwd: string;
  readonly variables: Variables;
  readonly version: string;
  /** Code that learns a secret adds it; all text that leaves the process passes through it. */
  readonly secrets: Secrets;
  /** Who asks, if it is not the user of this machine: a person who logged in to the page. */
  readonly person?: string;
  /** The command line, for the history. */
  readonly arguments?: readonly string[];
  readonly clock: () => Date;
  /** A new random name for a plan. */
  readonly nonce: () => string;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  /** Milliseconds for a request with its pauses and retries; for a file, until it begins or continues. */
  readonly timeout?: number;
  /** The command to show to others who find the environment in use, such as `dexsync apply`. */
  readonly command?: string;
  /** Milliseconds to wait for another dexsync that uses the environment; `Infinity` for no limit. */
  readonly patience?: number;
  /** The former address of a workspace, or `none`, if the ledger may know the workspace by another one. */
  readonly movedFrom?: string;
  /** Asks a person whether the workspace had another address before. */
  readonly askMoved?: (change: AddressChange) => Promise<boolean>;
  /** @internal Whether the operation deals with the losses of a ledger. */
  readonly goesOnAfterLoss?: boolean;
  /** @internal What an operation on many environments finds out, or opens, once for all of them; see `once`. */
  readonly found?: Map<string, unknown>;
  /** Whether to wait for the reset if the day's requests are used up. */
  readonly waitForQuota?: boolean;
  /**
   * True: imports and runs the modules that the configuration lists under `kinds`, with all permissions of this
   * process. The variable `DEXSYNC_TRUST=yes` does the same. Nothing in a configuration or a manifest can do so.
   */
  readonly trust?: boolean;
  /** Standard input, if there is one. */
  readonly input?: () => AsyncIterable<Uint8Array>;
  /** Writes a line of `--trace`. */
  readonly trace?: (line: string) => void;
  /**
   * @internal Finds the list at a path that manifests come from. The readers of files are in a house above. Throws
   * FILE_UNREADABLE.
   */
  readonly findList: (path: string, source: RowSource) => Promise<FoundList>;
}

/** A list that was found, and may be read now. */
export interface FoundList {
  readonly path: string;
  /** Opens it. Its file has the name of the source in messages. Throws FILE_UNREADABLE. */
  open(): Promise<OpenList>;
}

/** A list while it is read. */
export interface OpenList extends Omit<RowTable, 'rows'> {
  /** Can be iterated once. */
  readonly batches: AsyncIterable<readonly TableRow[]>;
  /** Decisions of the reader that may be wrong, once all rows were read. */
  readonly warnings: () => readonly { readonly code: string; readonly message: string; readonly hint?: string }[];
}

/** A workspace at an address that the ledger does not know, and a known address with the same workspace id. */
export interface AddressChange {
  readonly environment: string;
  /** The name of the workspace. */
  readonly workspace: string;
  /** Host and port. */
  readonly from: string;
  readonly to: string;
}

/** A host that drops events of these types. */
export const withoutEvents = (host: Host, ...types: readonly Event['type'][]): Host => ({
  ...host,
  emit: (event) => (types.includes(event.type) ? undefined : host.emit(event)),
});

/** The options of every command that works on a project. */
export interface ProjectOptions {
  readonly config?: string;
  readonly environment?: string;
  /** Manifests to use instead of those of the configuration: files, folders, or `-` for standard input. */
  readonly files?: readonly string[];
  /** Variables by name, and YAML files of them; they win over those of the configuration. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly variableFiles?: readonly string[];
  /** The folder for the ledger, embedded workspaces and the like; `.dexsync` next to the configuration by default. */
  readonly dataFolder?: string;
  /** The reason, for the journal and for others who find the environment in use. */
  readonly reason?: string;
}
