import { Command } from 'commander';
import { EXIT, validate } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { manifestOptions } from './manifest-options.js';
import { run } from './run.js';

export const validateCommand = (cli: Cli): Command =>
  manifestOptions(new Command('validate'))
    .summary('check configuration and manifests without reaching a workspace')
    .description(
      'Checks sync.config.yaml and all manifests: syntax, fields, values, references, cycles. Reaches no workspace.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync validate\n  dexsync validate --config team/sync.config.yaml --json')
    .action(async (options: { json?: boolean }, command: Command) => {
      await run(
        cli,
        options.json === true ? 'json' : 'human',
        command.optsWithGlobals<GlobalOptions>(),
        async ({ host, project }) => {
          const found = await validate(project, host);
          const files = `${found.files} ${found.files === 1 ? 'file' : 'files'}`;
          cli.out.write(
            options.json === true
              ? `${JSON.stringify({ type: 'valid', ...found })}\n`
              : `Valid: ${found.manifests} ${found.manifests === 1 ? 'manifest' : 'manifests'} in ${files}.\n`,
          );
          return EXIT.done;
        },
      );
    });
