import {
  DexsyncError,
  type Diagnostic,
  diskError,
  type Event,
  EXIT,
  type ExitCode,
  type Host,
  type Output,
  openView,
  type ProjectOptions,
  reasonOf,
  type Shown,
  texts,
  type View,
  type ViewKind,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { movedQuestion } from './confirm.js';
import type { ErrorForm } from './json-option.js';
import { logOutput, logText } from './pipeline-log.js';
import { type Failure, printFailure } from './print-failure.js';
import { type CommandReport, reportOf } from './report-of.js';
import type { Reports } from './report-option.js';

/** What the work of a command gets. */
export interface Running {
  readonly host: Host;
  readonly view: View;
  readonly project: ProjectOptions;
  /** Standard output. Under `--json` an error prints a document only if nothing was written here. */
  readonly out: Output;
  /** Hands over what is no event to the reports of `--output`, with the document of `--json`. */
  readonly report: CommandReport['add'];
}

/**
 * Runs a command's work with its view, and turns whatever it throws into a message on standard error and an exit
 * code. Under `--json` standard output gets the error too. The reports of `--output` are written however it
 * ends.
 */
export async function run(
  cli: Cli,
  kind: ViewKind,
  options: GlobalOptions,
  work: (running: Running) => Promise<ExitCode>,
  reports: Reports = NO_REPORTS,
): Promise<void> {
  const { clock } = cli.host;
  const isData = kind === 'findings' || (options.quiet === true && kind === 'human');
  const shown = logOutput(cli, isData ? cli.err : cli.out, kind === 'json' || kind === 'log' ? 'json' : 'text');
  const view = await openView(kind, { ...cli, clock, out: shown, shows: shownOf(options) });
  const diagnostics: Diagnostic[] = [];
  const emit = (given: Event): void => {
    const event = cli.host.secrets.redactValue(given);
    if (event.type === 'diagnostic') diagnostics.push(event.diagnostic);
    report.event(event);
    view.event(event);
  };
  const report = reportOf(cli, options, reports);
  const stdout = watched(cli.out);
  const isLive = kind === 'human' && cli.progress === 'live' && options.quiet !== true;
  const release = isLive ? cli.onInterrupt?.((message) => view.notice?.(message)) : undefined;
  const host: Host = {
    ...cli.host,
    emit,
    ...hostOptions(options),
    ...movedQuestion(cli, options, view),
    ...(await traceOption(cli, options)),
  };
  try {
    const project = projectOptions(options);
    await report.open(host, project);
    const code = await work({ host, view, project, out: stdout.out, report: report.add });
    await view.close();
    const exitCode = cli.host.signal.aborted ? EXIT.interrupted : code;
    await report.write({ exitCode });
    cli.exit(exitCode);
  } catch (error) {
    await view.close();
    const form = stdout.isWritten() ? 'text' : formOf(kind, options);
    const failure = failureOf(cli, error);
    await printFailure(cli, form, failure, diagnostics);
    // A file that cannot be written any more must not hide what ended the command.
    await report.write({ exitCode: failure.exitCode, failure }).catch(() => undefined);
    if (options.trace === true) await printStack(cli, error);
  } finally {
    release?.();
  }
}

function shownOf({ quiet, summary }: GlobalOptions): Shown {
  if (quiet === true) return 'errors';
  return summary === true ? 'summary' : 'all';
}

const NO_REPORTS: Reports = { json: 'document' };

function watched(output: Output) {
  let written = false;
  const out: Output = {
    write: (text) => {
      written = true;
      output.write(text);
    },
  };
  return { out, isWritten: () => written };
}

function formOf(kind: ViewKind, { json }: GlobalOptions): ErrorForm {
  if (kind === 'json' || kind === 'log') return 'events';
  return json === true ? 'document' : 'text';
}

const projectOptions = ({ config, env, file, var: variables, varFile, reason }: GlobalOptions): ProjectOptions => ({
  ...(config === undefined ? {} : { config }),
  ...(env === undefined ? {} : { environment: env }),
  ...(file === undefined ? {} : { files: file }),
  ...(variables === undefined ? {} : { variables }),
  ...(varFile === undefined ? {} : { variableFiles: varFile }),
  ...(reason === undefined ? {} : { reason }),
});

const hostOptions = ({
  timeout,
  wait,
  waitForQuota,
  movedFrom,
  command,
  trust,
}: GlobalOptions): Pick<Host, 'timeout' | 'patience' | 'waitForQuota' | 'movedFrom' | 'command' | 'trust'> => ({
  ...(timeout === undefined ? {} : { timeout }),
  ...(waitForQuota === true ? { waitForQuota: 'yes' } : {}),
  ...(movedFrom === undefined ? {} : { movedFrom }),
  ...(trust === true ? { trust: 'yes' } : {}),
  ...(wait === undefined ? {} : { patience: wait === true ? Number.POSITIVE_INFINITY : wait }),
  ...(command === undefined ? {} : { command }),
});

async function traceOption(cli: Cli, options: GlobalOptions): Promise<Pick<Host, 'trace'>> {
  if (options.trace !== true) return {};
  const { line: safe } = await texts(cli.color);
  return { trace: (line) => cli.err.write(logText(cli, `${safe(line)}\n`)) };
}

async function printStack(cli: Cli, error: unknown): Promise<void> {
  if (!(error instanceof Error)) return;
  const { line } = await texts(cli.color);
  cli.err.write(logText(cli, `${line(String(error.stack))}\n`));
}

function failureOf(cli: Cli, error: unknown): Failure {
  const named = error instanceof DexsyncError ? error : diskError(error);
  if (named !== undefined) {
    const { code, message, hint } = named;
    const exitCode = cli.host.signal.aborted ? EXIT.interrupted : named.exitCode;
    return { code, message, ...(hint === undefined ? {} : { hint }), exitCode };
  }
  const hint = 'This is a bug in dexsync. Please report it with the output of the same command with `--trace`.';
  return { code: 'UNEXPECTED', message: reasonOf(error), hint, exitCode: EXIT.failed };
}
