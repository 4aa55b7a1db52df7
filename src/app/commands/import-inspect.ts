import { type Command, createArgument, createOption, InvalidArgumentError } from 'commander';
import { MEANINGS } from '../library/internal.js';
import { EXIT, type ExitCode, type InspectFileOptions, inspectFile } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { editColumns } from './edit-columns.js';
import { documentOption } from './json-option.js';
import { assignment, pickGiven } from './option-values.js';
import { addSourceOptions, type SourceFlags, toImportSource } from './source-flags.js';

interface InspectFlags extends GlobalOptions, SourceFlags {
  readonly manifest?: boolean;
  readonly out?: string;
  readonly like?: string;
  readonly assembly?: string;
  readonly afresh?: boolean;
  readonly column?: NonNullable<InspectFileOptions['meanings']>;
  readonly edit?: boolean;
}

/**
 * `dexsync import inspect`: needs no configuration and no workspace; exit 3 if the file cannot be read to its end, 4 if
 * nothing is proposed, or nothing that passes the checks of an import.
 */
export const importInspectCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'inspect',
    summary: 'show the contents of a file and propose manifests',
    description: DESCRIPTION,
    arguments: [createArgument('<file>', 'file to inspect')],
    shared: [addSourceOptions],
    options: [
      createOption('--manifest', 'print only the proposed manifests'),
      createOption('--out <folder>', 'write a project with the proposed manifests; existing files are not overwritten'),
      createOption(
        '--like <folder>',
        'propose what the project in this folder has for a list with the same columns, instead of asking again; by default the project of the current folder, if it reads such a list',
      ).conflicts(['column', 'edit']),
      createOption('--afresh', 'propose afresh, without the settings of the project of the current folder').conflicts([
        'like',
      ]),
      createOption('--column <name=meaning>', 'what a column means: a word of READ AS, or none; repeatable').argParser(
        meaningOf,
      ),
      createOption(
        '--assembly <number>',
        'the item that the lines of a BOM belong to, if no row of the file is that item; by default from a cell above the header, else from the name of the file',
      ).argParser(numberOf),
      createOption('--edit', 'correct at a terminal what columns mean, before anything is proposed or written'),
      documentOption(),
    ],
    examples: [
      'dexsync import inspect parts.xlsx --out parts',
      'dexsync import inspect next.xlsx --like parts --out next',
      'dexsync import inspect parts.xlsx --manifest > manifests/parts.yaml',
      'dexsync import inspect bom.csv --env prod --assembly KIT-0455 --out bom',
    ],
    run: inspect,
  });

const DESCRIPTION =
  'Shows the worksheets, encoding, delimiter, header row and columns of a CSV, TSV, XLSX, XLS or ODS file: how many ' +
  'cells are filled and how many values differ, samples, types and likely keys. Takes the fullest table of all worksheets, ' +
  'with the others that have its header, and proposes manifests for its items, its BOM and its manufacturers and suppliers; ' +
  'tables with other headers become further imports if they have item numbers. A list of suppliers with their addresses, or of ' +
  'people with their groups, becomes objects of its rows. ' +
  'Exits with 4 if it has nothing to propose, or if rows do not pass the checks of an import. Needs no configuration and no workspace, except for the project of `--like`. ' +
  'Inside a project that reads a list with the same columns, it takes the settings of that one, and says so. With `--env`, ' +
  "a list of makers' numbers without item numbers is looked up in that workspace: rows whose maker and number belong to " +
  "an item get the item's number.";

async function inspect(
  { cli, flags, host, project, print }: CommandRun<InspectFlags>,
  file: string,
): Promise<ExitCode> {
  const { manifest, out, env, column: given = {} } = flags;
  const isAfresh = flags.afresh === true || flags.edit === true;
  const options = {
    source: toImportSource(file, flags),
    ...pickGiven(flags, 'like', 'assembly'),
    ...(isAfresh && { afresh: true }),
  };
  const meanings =
    flags.edit === true
      ? await editColumns(cli, file, given, (meanings) => inspectFile({ ...options, meanings }, host))
      : given;
  const found = await inspectFile({ ...project, ...options, ...pickGiven(flags, 'out'), meanings }, host);
  const isUsable = found.proposal.problems.length === 0;
  const exitCode = found.problem !== undefined ? EXIT.invalid : isUsable ? EXIT.done : EXIT.incomplete;
  if (manifest === true) return print(found, (texts) => texts.proposal, exitCode);
  if (found.written === undefined) return print(found, (texts) => texts.inspection, exitCode);
  return print(found, (texts) => texts.writtenProject(out ?? '', env), exitCode);
}

type Meanings = NonNullable<InspectFlags['column']>;

function numberOf(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('An item number is not empty.');
  return text.trim();
}

function meaningOf(text: string, given: Meanings = {}): Meanings {
  const all = assignment('COLUMN')(text, given);
  const known = [...Object.keys(MEANINGS), 'none'];
  const unknown = Object.values(all).find((meaning) => !known.includes(meaning));
  if (unknown === undefined) return all as Meanings;
  throw new InvalidArgumentError(`A column cannot mean "${unknown}". Use one of: ${known.join(', ')}.`);
}
