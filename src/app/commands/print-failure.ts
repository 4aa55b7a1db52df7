import { NOTHING_DONE, texts } from '../library/internal.js';
import type { Diagnostic, ErrorDocument, Summary } from '../library/library.js';
import type { Cli } from './cli-context.js';
import type { ErrorForm } from './json-option.js';
import { logText } from './pipeline-log.js';
import { jsonDocument } from './print-document.js';

/** An error as every command shows it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly exitCode: Summary['exitCode'];
}

/**
 * Prints an error for people on standard error and, for programs, as JSON on standard output: one document
 * `{"error", "diagnostics"}`, or an event of the type `error` before the summary. Sets the exit code.
 */
export async function printFailure(
  cli: Cli,
  form: ErrorForm,
  failure: Failure,
  diagnostics: readonly Diagnostic[] = [],
): Promise<void> {
  if (form === 'document') {
    const document: ErrorDocument = { error: failure, diagnostics };
    cli.out.write(logText(cli, jsonDocument(document), 'json'));
  }
  if (form === 'events') {
    cli.out.write(logText(cli, `${JSON.stringify({ type: 'error', ...failure })}\n`, 'json'));
    cli.out.write(`${JSON.stringify({ ...NOTHING_DONE, exitCode: failure.exitCode })}\n`);
  }
  cli.err.write(logText(cli, (await texts(cli.color, cli.width)).error(failure)));
  cli.exit(failure.exitCode);
}
