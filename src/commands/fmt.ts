import { Command } from 'commander';
import { EXIT, format, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { run } from './run.js';

interface Options extends GlobalOptions {
  readonly check?: boolean;
  readonly diff?: boolean;
  readonly json?: boolean;
}

export const fmtCommand = (cli: Cli): Command =>
  new Command('fmt')
    .summary('bring manifests into their one form')
    .description(
      'Formats manifests in place: keys in the order of their schema, two spaces, one final newline. Comments, anchors and\n' +
        'the way in which values are written survive, and what a file means never changes.',
    )
    .argument('[path...]', 'files and folders; the manifests of the configuration by default')
    .option('--check', 'write nothing, and exit with 2 where a file is not in its form')
    .option('--diff', 'show what changes')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  dexsync fmt\n  dexsync fmt --check --diff\n  dexsync fmt manifests/groups.yaml',
    )
    .action(async (paths: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { check = false, diff = false, json = false } = options;
      await run(cli, 'findings', options, async ({ host, project: { config } }) => {
        const { fileDiff } = await texts(cli.color);
        const chosen = { paths, ...(config === undefined ? {} : { config }) };
        const { files, changed } = await format(
          { ...chosen, write: check ? 'nothing' : 'changed files' },
          host,
          (change) => {
            if (!json) cli.out.write(diff ? fileDiff(change) : `${change.file}\n`);
          },
        );
        if (json)
          cli.out.write(`${JSON.stringify({ files, changed: changed.map(({ file }) => file) }, undefined, 2)}\n`);
        const word = check ? 'to format' : 'formatted';
        if (!json) cli.err.write(`${changed.length} of ${files} ${files === 1 ? 'file' : 'files'} ${word}.\n`);
        return check && changed.length > 0 ? EXIT.differences : EXIT.done;
      });
    });
