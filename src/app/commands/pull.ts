import { type Command, createOption, type Option } from 'commander';
import { texts } from '../library/internal.js';
import { type Diagnostic, EXIT, type Host, type Pulled, type PulledDocument, pull } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { collectTexts, pickGiven } from './option-values.js';
import { logText } from './pipeline-log.js';
import { reasonOption } from './reason-option.js';

interface PullFlags extends GlobalOptions {
  readonly kind?: readonly string[];
  readonly name?: readonly string[];
  readonly out?: string;
  readonly layout: 'kind' | 'object';
  readonly adopt?: boolean;
  readonly drifted?: boolean;
  readonly onlyDrift?: boolean;
  readonly diff?: boolean;
}

/** `dexsync pull`: live objects as manifests. Sends no write. */
export const pullCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'pull',
    summary: 'write live objects as manifests',
    description:
      'Writes the live objects of the workspace as manifests, after which the plan is empty. A manifest that exists is ' +
      'edited where it stands: comments, order, quotes and ${var.NAME} are kept, and fields that it does not name stay ' +
      'unnamed. Sends no write; the ledger records what was pulled of objects of this stack, and no longer reports it as drift.',
    arguments: [environmentWord()],
    shared: [addVariableOptions],
    options: pullOptions(),
    examples: [
      'dexsync pull --adopt --env prod',
      'dexsync pull --drifted',
      'dexsync pull --only-drift',
      'dexsync pull --kind groups --kind policies --diff',
      "dexsync pull --kind ImportDefinition --name 'ERP *' --layout object",
    ],
    run: async (run: CommandRun<PullFlags>) => {
      const { flags, host, project } = run;
      const diagnostics: Diagnostic[] = [];
      const emit: Host['emit'] = (event) => {
        if (event.type === 'diagnostic') diagnostics.push(event.diagnostic);
        host.emit(event);
      };
      const pulled = await pull({ ...project, ...pullOptionsOf(flags) }, { ...host, emit });
      const exitCode = flags.diff === true && pulled.files.length > 0 ? EXIT.differences : EXIT.done;
      if (flags.json === true) return run.print(documentOf(pulled, diagnostics), () => String, exitCode);
      if (flags.diff === true) await printDiff(cli, pulled);
      return run.printOutcome(pulled, (all) => all.pull, exitCode);
    },
  });

const pullOptions = (): Option[] => [
  createOption('--kind <kind>', 'only this kind; can be repeated').argParser(collectTexts),
  createOption('--name <pattern>', 'only objects with such names; `*` matches any text; can be repeated').argParser(
    collectTexts,
  ),
  createOption('--out <folder>', 'folder for new files (default: the first one under `manifests`)'),
  createOption('--layout <layout>', 'new files: one for each kind, or one for each object')
    .choices(['kind', 'object'])
    .default('kind'),
  createOption('--adopt', 'adopt the objects into this stack, too'),
  createOption('--drifted', 'add fields that manifests do not name and that changed since the last apply, too'),
  createOption(
    '--only-drift',
    'write only what others changed since it was applied, for a review: the ledger goes on reporting it as drift',
  ),
  createOption('--diff', 'show the changes and write nothing; exit with 2 if there are any'),
  reasonOption(),
  documentOption(),
];

const pullOptionsOf = ({ kind = [], name = [], layout, adopt, drifted, onlyDrift, diff, ...flags }: PullFlags) =>
  ({
    kinds: kind,
    names: name,
    layout,
    ...pickGiven(flags, 'out'),
    adopt: adopt === true,
    drifted: drifted === true,
    onlyDrift: onlyDrift === true,
    write: diff === true ? 'nothing' : 'files',
  }) as const;

async function printDiff(cli: Cli, { files }: Pulled): Promise<void> {
  const { fileDiff } = await texts(cli.color);
  for (const { file, before = '', after } of files) cli.out.write(logText(cli, fileDiff({ file, before, after })));
}

const documentOf = ({ files, ...pulled }: Pulled, diagnostics: readonly Diagnostic[]): PulledDocument => ({
  ...pulled,
  files: files.map(({ file, before }) => ({ file, change: before === undefined ? 'create' : 'edit' })),
  diagnostics,
});
