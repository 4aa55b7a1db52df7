import { type Command, createArgument } from 'commander';
import { orphans } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { formatOption } from './format-option.js';
import { documentOption } from './json-option.js';

/** `dexsync orphans`: live objects that no stack owns. Sends no write. */
export const orphansCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'orphans',
    summary: 'list live objects that no stack owns',
    description:
      'Lists the live objects that no stack created or adopted and, separately, those that replacements left behind. ' +
      'Reads the list of each kind. Read-only.',
    arguments: [createArgument('[kind...]', 'only these kinds')],
    options: [formatOption(), documentOption()],
    examples: [
      'dexsync orphans',
      'dexsync orphans groups policies --env prod --json',
      "dexsync orphans -o name | xargs -d '\\n' -n 1 dexsync adopt",
    ],
    run: async ({ host, project, printList }, kinds: string[]) =>
      printList(
        await orphans({ ...project, kinds }, host),
        (texts) => texts.orphans,
        ({ orphans: all }) => all.map(({ address }) => address),
      ),
  });
