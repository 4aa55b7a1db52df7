import { Command } from 'commander';
import { EXIT, type Outputs, output } from '../index.js';
import type { Cli } from './cli-context.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync output`: GUIDs by address, for scripts; exit 4 where one is missing. */
export const outputCommand = (cli: Cli): Command =>
  new Command('output')
    .summary('print GUIDs by address, for scripts')
    .description(
      'Looks up the GUIDs that objects have in the workspace right now. One address prints its GUID alone; several print ' +
        'a line each; none prints all that the manifests describe.',
    )
    .argument('[address...]', 'Kind/name; lookups too, such as "User/ann@example.com" or "Attribute:BOM/Find Number"')
    .option('--json', 'print one JSON object: GUID by address, null where it is not in the workspace')
    .addHelpText(
      'after',
      '\nExamples:\n  dexsync output "ImportDefinition/ERP item specs"\n  dexsync output --json --env prod\n\n' +
        'Exits with 4 where an object of the manifests is not in the workspace.',
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
