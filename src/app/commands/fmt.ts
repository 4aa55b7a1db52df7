import { type Command, createArgument, createOption } from 'commander';
import { texts } from '../library/internal.js';
import { EXIT, type FormatOptions, type FormatResult, type FormattedFile, format } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';
import { pickGiven } from './option-values.js';
import { logText } from './pipeline-log.js';
import { jsonDocument } from './print-document.js';

interface FormatFlags extends GlobalOptions {
  readonly check?: boolean;
  readonly diff?: boolean;
}

/** `dexsync fmt`: formats manifests in place; with `--check` or `--diff` writes nothing, and exits with 2 if it would. */
export const fmtCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'fmt',
    summary: 'format manifests',
    description:
      'Formats manifests in place: keys in the order of their schema, two spaces, one final newline. Comments, anchors ' +
      'and the notation of values are kept, and the meaning of a file never changes.',
    arguments: [
      createArgument('[path...]', 'files and folders to format; by default the manifests of the configuration'),
    ],
    options: [
      createOption('--check', 'write nothing, and exit with 2 if a file is not formatted'),
      createOption('--diff', 'show the changes, write nothing, and exit with 2 if a file is not formatted'),
      documentOption(),
    ],
    examples: ['dexsync fmt', 'dexsync fmt --diff', 'dexsync fmt manifests/groups.yaml'],
    run: async ({ flags, host, project }: CommandRun<FormatFlags>, paths: string[]) => {
      const write = flags.check === true || flags.diff === true ? 'nothing' : 'changed files';
      const onChanged = await changeReporter(flags, cli);
      const done = await format({ paths, write, ...pickGiven(project, 'config') }, host, onChanged);
      printResult(done, write, flags, cli);
      return write === 'nothing' && done.changed.length > 0 ? EXIT.differences : EXIT.done;
    },
  });

/** Prints a changed file as soon as it was written, so that a later failure hides none. */
async function changeReporter({ json, diff, quiet }: FormatFlags, cli: Cli): Promise<(file: FormattedFile) => void> {
  if (json === true || (quiet === true && diff !== true)) return () => undefined;
  const { fileDiff } = await texts(cli.color);
  return (file) => cli.out.write(logText(cli, diff === true ? fileDiff(file) : `${file.file}\n`));
}

function printResult(
  { files, changed, left }: FormatResult,
  write: FormatOptions['write'],
  { json, quiet }: FormatFlags,
  cli: Cli,
): void {
  const { out, err } = cli;
  if (json === true) {
    out.write(logText(cli, jsonDocument({ files, changed: changed.map(({ file }) => file), left }), 'json'));
    return;
  }
  if (quiet === true) return;
  for (const { file, because } of left) err.write(`${file} was not formatted: ${because}.\n`);
  const done = write === 'nothing' ? 'to format' : 'formatted';
  err.write(`${changed.length} of ${files} ${files === 1 ? 'file' : 'files'} ${done}.\n`);
}
