import { Command } from 'commander';
import { EXIT, type Validated, validate } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { addManifestOptions } from './manifest-options.js';
import { run } from './run.js';

/**
 * `dexsync validate`: configuration, manifests and source files, without a workspace; exit 3 or 4 where something is
 * wrong.
 */
export const validateCommand = (cli: Cli): Command =>
  addManifestOptions(new Command('validate'))
    .summary('check configuration, manifests and source files without reaching a workspace')
    .description(
      'Checks sync.config.yaml and all manifests: syntax, fields, values, references, cycles; and reads the files of imports. ' +
        'Reaches no workspace.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync validate\n  dexsync validate --config team/sync.config.yaml --json')
    .action(async (options: { json?: boolean }, command: Command) => {
      await run(
        cli,
        options.json === true ? 'json' : 'human',
        command.optsWithGlobals<GlobalOptions>(),
        async ({ host, project, view }) => {
          const found = await validate(project, host);
          await view.close();
          const isValid = found.blocked.length === 0;
          const json = () => `${JSON.stringify({ type: isValid ? 'valid' : 'blocked', ...found })}\n`;
          cli.out.write(options.json === true ? json() : validatedText(found));
          return isValid ? EXIT.done : EXIT.incomplete;
        },
      );
    });

function validatedText({ manifests, files, blocked }: Validated): string {
  const what = `${countText(manifests, 'manifest')} in ${countText(files, 'file')}`;
  if (blocked.length === 0) return `Valid: ${what}.\n`;
  const each = blocked.map(({ address, message }) => `${address}: ${message}\n`).join('');
  return `${each}Valid: ${what}; but ${countText(blocked.length, 'import')} could not be sent.\n`;
}

const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
