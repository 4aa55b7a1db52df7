import type { Output } from '../library/internal.js';
import type { ExitCode, Host } from '../library/library.js';

/** The process as commands see it; secrets are redacted in everything it writes. `safeCli` creates one. */
export interface Cli {
  readonly out: Output;
  readonly err: Output;
  /** Standard output, if a report is written there and `out` is standard error; see report-option.ts. */
  readonly reportOut?: Output;
  readonly color: 'color' | 'plain';
  /** Whether a person can be asked. */
  readonly input: 'terminal' | 'none';
  /** Whether lines on the screen can be overwritten. */
  readonly progress: 'live' | 'lines';
  /** Columns of the terminal; undefined if there is none. */
  readonly width?: number;
  readonly host: Omit<Host, 'emit' | 'trace'>;
  /** Shows with `show` that Ctrl-C was pressed, until the returned function runs. Otherwise `err` gets the message. */
  onInterrupt?(show: (message: string) => void): () => void;
  ask(question: string): Promise<string>;
  /** Lets a person choose by arrow keys, beginning at `initial`; undefined if nobody chose. Ctrl-C also interrupts. */
  choose(question: string, choices: readonly Choice[], initial?: string): Promise<string | undefined>;
  exit(code: ExitCode): void;
}

/** One of several answers to a question. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The process without redaction and readers of lists. Only cli.ts creates one. */
export type BareCli = Omit<Cli, 'host'> & { readonly host: Omit<Cli['host'], 'secrets' | 'findList'> };

/** Options of every command, and those that several commands share. */
export interface GlobalOptions {
  readonly config?: string;
  readonly env?: string;
  readonly trace?: boolean;
  /** Of every command but `api`; see quiet-option.ts. */
  readonly quiet?: boolean;
  /** Of the commands that make a plan or compare; see quiet-option.ts. */
  readonly summary?: boolean;
  readonly trust?: boolean;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Milliseconds to wait for the lock; `true`: without limit. */
  readonly wait?: number | true;
  readonly waitForQuota?: boolean;
  /** Previous address of the workspace. */
  readonly movedFrom?: string;
  /** Full name of the command; program.ts sets it. */
  readonly command?: string;
  /** Of the commands that read manifests; see manifest-options.ts. */
  readonly file?: readonly string[];
  readonly var?: Readonly<Record<string, string>>;
  readonly varFile?: readonly string[];
  /** Of the commands that print JSON; see json-option.ts. */
  readonly json?: boolean;
  /** Of the commands that leave a journal; see reason-option.ts. */
  readonly reason?: string;
}

/** Hides the signal from the command: it ends one that runs until it is stopped, and not as interrupted. */
export const withoutSignal = (cli: Cli): Cli => ({
  ...cli,
  host: { ...cli.host, signal: new AbortController().signal },
});
