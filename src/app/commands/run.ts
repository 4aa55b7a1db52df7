import { omitUndefined } from '#base/omit-undefined.js';
import {
  diskError,
  type Output,
  openView,
  reasonOf,
  type Shown,
  texts,
  type View,
  type ViewKind,
} from '../library/internal.js';
import {
  DexsyncError,
  type Diagnostic,
  type Event,
  EXIT,
  type ExitCode,
  type Host,
  type ProjectOptions,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandReport, createCommandReport } from './command-report.js';
import { movedQuestion } from './confirm.js';
import type { ErrorForm } from './json-option.js';
import { pickGiven } from './option-values.js';
import { logOutput, logText } from './pipeline-log.js';
import { type Failure, printFailure } from './print-failure.js';
import type { Reports } from './report-option.js';

/** What the work of a command may use. */
export interface RunContext {
  readonly host: Host;
  readonly view: View;
  readonly project: ProjectOptions;
  /** Standard output. Under `--json` an error prints a document only if nothing was written here. */
  readonly out: Output;
  /** Adds results other than events to the reports of `--output`, with the document of `--json`. */
  readonly report: CommandReport['add'];
  /** Runs `close` at the end, once the reports are written. */
  readonly closeAtEnd: (close: () => Promise<void>) => void;
}

/**
 * Runs a command's work with its view, and turns everything it throws into a message on standard error and an exit
 * code. Under `--json` standard output gets the error too. The reports of `--output` are written even if it fails.
 */
export async function run(
  cli: Cli,
  kind: ViewKind,
  options: GlobalOptions,
  work: (context: RunContext) => Promise<ExitCode>,
  reports?: Reports,
): Promise<void> {
  const view = await viewFor(cli, kind, options);
  const report = createCommandReport(cli, options, reports);
  const { emit, diagnostics } = emitterFor(cli, view, report);
  const stdout = watchWrites(cli.out);
  const closing: (() => Promise<void>)[] = [];
  const closeAtEnd: RunContext['closeAtEnd'] = (close) => void closing.push(close);
  const release = showInterrupts(cli, kind, options, view);
  const asking = movedQuestion({ cli, flags: options, view });
  const host: Host = { ...cli.host, emit, ...hostOptions(options), ...asking, ...(await traceOption(cli, options)) };
  try {
    const project = projectOptions(options);
    await report.open(host, project);
    const code = await work({ host, view, project, out: stdout.out, report: report.add, closeAtEnd });
    await view.close();
    const exitCode = cli.host.signal.aborted ? EXIT.interrupted : code;
    await report.write({ exitCode });
    cli.exit(exitCode);
  } catch (error) {
    await view.close();
    const form = stdout.isWritten() ? 'text' : formOf(kind, options);
    const failure = failureOf(cli, error);
    await printFailure(cli, form, failure, diagnostics);
    // A report that cannot be written must not hide the error that ended the command.
    await report.write({ exitCode: failure.exitCode, failure }).catch(() => undefined);
    if (options.trace === true) await printStack(cli, error);
  } finally {
    release?.();
    for (const close of closing) await close();
  }
}

/** Passes events without secrets on to the view and the reports, and collects diagnostics for an error document. */
function emitterFor(cli: Cli, view: View, report: CommandReport) {
  const diagnostics: Diagnostic[] = [];
  const emit = (given: Event): void => {
    const event = cli.host.secrets.redactValue(given);
    if (event.type === 'diagnostic') diagnostics.push(event.diagnostic);
    report.event(event);
    view.event(event);
  };
  return { emit, diagnostics };
}

async function viewFor(cli: Cli, kind: ViewKind, options: GlobalOptions): Promise<View> {
  const { clock } = cli.host;
  const isData = BESIDE.includes(kind) || (options.quiet === true && kind === 'human');
  const isJson = kind === 'json' || kind === 'log' || kind === 'audit-log';
  const out = logOutput(cli, isData ? cli.err : cli.out, isJson ? 'json' : 'text');
  return openView(kind, { ...cli, clock, out, shows: shownOf(options) });
}

/** Views beside what standard output is for. */
const BESIDE: readonly ViewKind[] = ['findings', 'audit', 'audit-log'];

/** Shows Ctrl-C within the live progress, until the returned function runs. */
function showInterrupts(cli: Cli, kind: ViewKind, { quiet }: GlobalOptions, view: View): (() => void) | undefined {
  const isLive = kind === 'human' && cli.progress === 'live' && quiet !== true;
  return isLive ? cli.onInterrupt?.((message) => view.notice?.(message)) : undefined;
}

function shownOf({ quiet, summary }: GlobalOptions): Shown {
  if (quiet === true) return 'errors';
  return summary === true ? 'summary' : 'all';
}

function watchWrites(output: Output) {
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

const projectOptions = ({ env, file, var: variables, varFile, ...flags }: GlobalOptions): ProjectOptions => ({
  ...pickGiven(flags, 'config', 'reason'),
  ...omitUndefined({ environment: env, files: file, variables, variableFiles: varFile }),
});

const hostOptions = ({ wait, waitForQuota, trust, ...flags }: GlobalOptions): Partial<Host> => ({
  ...pickGiven(flags, 'timeout', 'movedFrom', 'command'),
  ...(waitForQuota === true ? { waitForQuota: true } : {}),
  ...(trust === true ? { trust: true } : {}),
  ...(wait === undefined ? {} : { patience: wait === true ? Number.POSITIVE_INFINITY : wait }),
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
    return { code, message, ...omitUndefined({ hint }), exitCode };
  }
  const hint = 'This is a bug in dexsync. Please report it with the output of the same command with `--trace`.';
  return { code: 'UNEXPECTED', message: reasonOf(error), hint, exitCode: EXIT.failed };
}
