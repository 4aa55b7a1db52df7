import type { ExitCode, Host, Output } from '../library/library.js';

/** The process as commands see it: no secret leaves it. `safeCli` makes one. */
export interface Cli {
  readonly out: Output;
  readonly err: Output;
  /** Standard output where a report has it and `out` leads beside it; see report-option.ts. */
  readonly reportOut?: Output;
  readonly color: 'color' | 'plain';
  /** Whether a person can be asked, and whether what is written can be written over. */
  readonly input: 'terminal' | 'none';
  readonly progress: 'live' | 'lines';
  /** Columns of the terminal; undefined where there is none. */
  readonly width?: number;
  readonly host: Omit<Host, 'emit' | 'trace'>;
  /** Who shows that Ctrl-C was pressed, until the returned function is called; without one it is written to `err`. */
  onInterrupt?(show: (message: string) => void): () => void;
  ask(question: string): Promise<string>;
  exit(code: ExitCode): void;
}

/** The process as it is. Only cli.ts makes one. */
export type BareCli = Omit<Cli, 'host'> & { readonly host: Omit<Cli['host'], 'secrets'> };

/** Options that stand before or after every command. */
export interface GlobalOptions {
  readonly config?: string;
  readonly env?: string;
  readonly trace?: boolean;
  /** Of every command but `api`, and of those that compare; see quiet-option.ts. */
  readonly quiet?: boolean;
  readonly summary?: boolean;
  readonly trust?: boolean;
  /** Milliseconds. */
  readonly timeout?: number;
  /** The same; `true`: as long as it takes. */
  readonly wait?: number | true;
  readonly waitForQuota?: boolean;
  /** The address that a workspace had before. */
  readonly movedFrom?: string;
  /** Which command this is, as program.ts says. */
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
