import { Command } from 'commander';
import { EXIT, type Outputs, output } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync output`: GUIDs by address, for scripts; exit 4 where one is missing. */
export const outputCommand = (cli: Cli): Command =>
  new Command('output')
    .summary('print GUIDs by address, for scripts')
    .description(
      'Looks up the current GUIDs of objects in the workspace. For one address, prints only the GUID; for ' +
        'several, one line each; for none, all objects of the manifests. With --json, a GUID is null if the object ' +
        'is not in the workspace. Exits with 4 if an object of the manifests is not in the workspace.',
    )
    .argument(
      '[address...]',
      'KIND/NAME, also of a lookup, such as "User/ann@example.com" or "Attribute:BOM/Find Number"',
    )
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples('dexsync output "ImportDefinition/ERP item specs"', 'dexsync output --json --env prod'),
    )
    .action(async (addresses: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await output({ ...project, addresses }, host);
        await printDocument(cli, options, found, () => (outputs) => outputLines(outputs, addresses.length));
        return Object.values(found).includes(null) ? EXIT.incomplete : EXIT.done;
      });
    });

function outputLines(outputs: Outputs, asked: number): string {
  const entries = Object.entries(outputs);
  if (asked === 1) return entries.map(([, guid]) => `${guid}\n`).join('');
  return entries.map(([address, guid]) => `${address}\t${guid ?? ''}\n`).join('');
}
