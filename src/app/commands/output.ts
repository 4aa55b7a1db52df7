import { type Command, createArgument } from 'commander';
import { EXIT, type Outputs, output } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';

/** `dexsync output`: GUIDs by address, for scripts; exit 4 if one is missing. */
export const outputCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'output',
    summary: 'print GUIDs by address, for scripts',
    description:
      'Looks up the current GUIDs of objects in the workspace. For one address, prints only the GUID; for ' +
      'several, one line each; for none, all objects of the manifests. With --json, a GUID is null if the object ' +
      'is not in the workspace. Exits with 4 if an object of the manifests is not in the workspace.',
    arguments: [
      createArgument(
        '[address...]',
        'KIND/NAME, also of a lookup, such as "User/ann@example.com" or "Attribute:BOM/Find Number"',
      ),
    ],
    options: [documentOption()],
    examples: ['dexsync output "ImportDefinition/ERP item specs"', 'dexsync output --json --env prod'],
    run: async ({ host, project, print }, addresses: string[]) => {
      const found = await output({ ...project, addresses }, host);
      const exitCode = Object.values(found).includes(null) ? EXIT.incomplete : EXIT.done;
      return print(found, () => (outputs) => outputLines(outputs, addresses.length), exitCode);
    },
  });

function outputLines(outputs: Outputs, asked: number): string {
  const entries = Object.entries(outputs);
  if (asked === 1) return entries.map(([, guid]) => `${guid}\n`).join('');
  return entries.map(([address, guid]) => `${address}\t${guid ?? ''}\n`).join('');
}
