import { Command, Option } from 'commander';
import { type Diagnostic, EXIT, type Host, type Pulled, type PulledDocument, pull, texts } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { collectTexts } from './option-values.js';
import { logText } from './pipeline-log.js';
import { type DocumentFlags, printOutcome } from './print-document.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

interface PullFlags extends DocumentFlags {
  readonly kind?: readonly string[];
  readonly name?: readonly string[];
  readonly out?: string;
  readonly layout: 'kind' | 'object';
  readonly adopt?: boolean;
  readonly drifted?: boolean;
  readonly diff?: boolean;
}

/** `dexsync pull`: live objects as manifests. Sends no write. */
export const pullCommand = (cli: Cli): Command =>
  addVariableOptions(new Command('pull'))
    .summary('write live objects as manifests')
    .description(
      'Writes the live objects of the workspace as manifests, after which the plan is empty. A manifest that exists is ' +
        'edited where it stands: comments, order, quotes and ${var.NAME} are kept, and fields that it does not name stay ' +
        'unnamed. Sends no write; the ledger records what was pulled of objects of this stack, and no longer reports it as drift.',
    )
    .addArgument(environmentWord())
    .option('--kind <kind>', 'only this kind; can be repeated', collectTexts)
    .option('--name <pattern>', 'only objects with such names; `*` matches any text; can be repeated', collectTexts)
    .option('--out <folder>', 'folder for new files (default: the first one under `manifests`)')
    .addOption(
      new Option('--layout <layout>', 'new files: one for each kind, or one for each object')
        .choices(['kind', 'object'])
        .default('kind'),
    )
    .option('--adopt', 'adopt the objects into this stack, too')
    .option('--drifted', 'add fields that manifests do not name and that changed since the last apply, too')
    .option('--diff', 'show the changes and write nothing; exit with 2 if there are any')
    .addOption(reasonOption())
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples(
        'dexsync pull --adopt --env prod',
        'dexsync pull --drifted',
        'dexsync pull --kind groups --kind policies --diff',
        "dexsync pull --kind ImportDefinition --name 'ERP *' --layout object",
      ),
    )
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<PullFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const diagnostics: Diagnostic[] = [];
        const emit: Host['emit'] = (event) => {
          if (event.type === 'diagnostic') diagnostics.push(event.diagnostic);
          host.emit(event);
        };
        const pulled = await pull({ ...project, ...pullOptionsOf(options) }, { ...host, emit });
        await print(cli, options, pulled, diagnostics);
        return options.diff === true && pulled.files.length > 0 ? EXIT.differences : EXIT.done;
      });
    });

const pullOptionsOf = ({ kind = [], name = [], out, layout, adopt, drifted, diff }: PullFlags) =>
  ({
    kinds: kind,
    names: name,
    layout,
    ...(out === undefined ? {} : { out }),
    adopt: adopt === true ? 'yes' : 'no',
    drifted: drifted === true ? 'yes' : 'no',
    write: diff === true ? 'nothing' : 'files',
  }) as const;

async function print(cli: Cli, options: PullFlags, pulled: Pulled, diagnostics: readonly Diagnostic[]): Promise<void> {
  if (options.json === true) return printOutcome(cli, options, documentOf(pulled, diagnostics), () => String);
  if (options.diff === true) {
    const { fileDiff } = await texts(cli.color);
    for (const { file, before = '', after } of pulled.files)
      cli.out.write(logText(cli, fileDiff({ file, before, after })));
  }
  await printOutcome(cli, options, pulled, (all) => all.pull);
}

const documentOf = ({ files, ...pulled }: Pulled, diagnostics: readonly Diagnostic[]): PulledDocument => ({
  ...pulled,
  files: files.map(({ file, before }) => ({ file, change: before === undefined ? 'create' : 'edit' })),
  diagnostics,
});
