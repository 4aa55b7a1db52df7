import {
  DexsyncError,
  diskError,
  EXIT,
  type ExitCode,
  type Host,
  openView,
  type ProjectOptions,
  reasonOf,
  type Summary,
  texts,
  type View,
} from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';

/** `human` and `json` on standard output; `findings` on standard error, beside a document. */
export type ViewKind = Parameters<typeof openView>[0];

/** What the work of a command gets. */
export interface Running {
  readonly host: Host;
  readonly view: View;
  readonly project: ProjectOptions;
}

/**
 * Runs a command's work with its view, and turns whatever it throws into a message on standard error and an exit
 * code. In JSON the error is a line of the stream too.
 */
export async function run(
  cli: Cli,
  kind: ViewKind,
  options: GlobalOptions,
  work: (running: Running) => Promise<ExitCode>,
): Promise<void> {
  const view = await openView(kind, { ...cli, out: kind === 'findings' ? cli.err : cli.out });
  const project: ProjectOptions = {
    ...(options.config === undefined ? {} : { config: options.config }),
    ...(options.env === undefined ? {} : { environment: options.env }),
    ...(options.file === undefined ? {} : { files: options.file }),
    ...(options.var === undefined ? {} : { variables: options.var }),
    ...(options.varFile === undefined ? {} : { variableFiles: options.varFile }),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
  };
  const timeout = options.timeout === undefined ? {} : { timeout: options.timeout };
  const trace = options.trace === true ? await traceOption(cli) : {};
  const host: Host = { ...cli.host, emit: (event) => view.event(event), ...timeout, ...waitOptions(options), ...trace };
  try {
    const code = await work({ host, view, project });
    await view.close();
    cli.exit(cli.host.signal.aborted ? EXIT.interrupted : code);
  } catch (error) {
    await view.close();
    await printFailure(cli, kind, error, options);
  }
}

const waitOptions = ({
  wait,
  waitForQuota,
  command,
}: GlobalOptions): Pick<Host, 'patience' | 'waitForQuota' | 'command'> => ({
  ...(waitForQuota === true ? { waitForQuota: 'yes' } : {}),
  ...(wait === undefined ? {} : { patience: wait === true ? Number.POSITIVE_INFINITY : wait }),
  ...(command === undefined ? {} : { command }),
});

async function traceOption(cli: Cli): Promise<Pick<Host, 'trace'>> {
  const { line: safe } = await texts(cli.color, cli.width);
  return { trace: (line) => cli.err.write(`${safe(line)}\n`) };
}

/** The last line of a stream that ended in an error. */
const NOTHING_DONE: Omit<Summary, 'exitCode'> = {
  type: 'summary',
  done: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
  blocked: 0,
  manual: 0,
  unchanged: 0,
  rows: { committed: 0, failed: 0 },
  requests: { used: 0, remaining: null },
};

async function printFailure(cli: Cli, kind: ViewKind, error: unknown, options: GlobalOptions): Promise<void> {
  const shown = errorDetails(cli, error);
  const { error: text, line } = await texts(cli.color, cli.width);
  if (kind === 'json') {
    cli.out.write(`${JSON.stringify({ type: 'error', ...shown })}\n`);
    cli.out.write(`${JSON.stringify({ ...NOTHING_DONE, exitCode: shown.exitCode })}\n`);
  }
  cli.err.write(text(shown));
  if (options.trace === true && error instanceof Error) cli.err.write(`${line(String(error.stack))}\n`);
  cli.exit(shown.exitCode);
}

function errorDetails(cli: Cli, error: unknown) {
  const named = error instanceof DexsyncError ? error : diskError(error);
  if (named !== undefined) {
    const { code, message, hint } = named;
    const exitCode = cli.host.signal.aborted ? EXIT.interrupted : named.exitCode;
    return { code, message, ...(hint === undefined ? {} : { hint }), exitCode };
  }
  const hint = 'This is a mistake in dexsync. With --trace it shows where; please report it.';
  return { code: 'UNEXPECTED', message: reasonOf(error), hint, exitCode: EXIT.failed };
}
