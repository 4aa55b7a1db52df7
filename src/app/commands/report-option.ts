import { type Command, InvalidArgumentError, Option } from 'commander';
import { REPORT_FORMATS, type ReportTarget } from '../library/internal.js';
import { DexsyncError } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { unknownFormat } from './format-option.js';

/** Flags of a command with `reportOption`. */
export interface ReportFlags extends GlobalOptions {
  readonly output?: readonly ReportTarget[];
}

const FLAGS = '--output <format=file>';

/** `--output` of the commands that check, compare or send. */
export const reportOption = (): Option =>
  new Option(
    FLAGS,
    `also write the result to this file, as ${REPORT_FORMATS.slice(0, -1).join(', ')} or ${REPORT_FORMATS.at(-1)}; ` +
      '- is stdout, and the text then goes to stderr; can be repeated',
  ).argParser(parseTarget);

function parseTarget(text: string, given: readonly ReportTarget[] = []): ReportTarget[] {
  const [name = '', ...rest] = text.split('=');
  const file = rest.join('=');
  if (file === '') throw new InvalidArgumentError('Write FORMAT=FILE, such as md=plan.md.');
  const format = REPORT_FORMATS.find((one) => one === name);
  if (format === undefined) throw unknownFormat(name, REPORT_FORMATS);
  if (given.some((one) => one.file === file)) {
    const what = file === '-' ? 'Standard output' : file;
    throw new InvalidArgumentError(`${what} can take one output only.`);
  }
  return [...given, { format, file }];
}

/** Whether a command has `reportOption`; `--output` of `api` and of lists is another option. */
export const hasReportOption = ({ options }: Command): boolean => options.some(({ flags }) => flags === FLAGS);

/** Moves the text of a command to standard error if a report is written to standard output. */
export function textBesideReport(cli: Cli, { output, json }: ReportFlags): Cli {
  const own = output?.find(({ file }) => file === '-');
  if (own === undefined) return cli;
  const { width: _, ...rest } = cli;
  // Under `--json` two results would be mixed; `checkReports` refuses that before anything is written.
  return json === true ? cli : { ...rest, out: cli.err, reportOut: cli.out, color: 'plain', progress: 'lines' };
}

/** The reports of `--output`. `json`: what `--json` of the command prints. */
export interface Reports {
  readonly targets?: readonly ReportTarget[] | undefined;
  readonly json: 'document' | 'events';
  /** The fleet or rollout that the command names. */
  readonly subject?: string | undefined;
}

/** Throws USAGE if two results would be written to standard output. */
export function checkReports({ targets = [] }: Reports, { json }: GlobalOptions): void {
  if (json !== true || !targets.some(({ file }) => file === '-')) return;
  throw new DexsyncError('USAGE', 'Both `--json` and `--output` would write to standard output.', {
    hint: 'Give `--output` a file, or leave out `--json`.',
  });
}
