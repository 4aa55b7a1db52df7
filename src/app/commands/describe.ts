import { type Command, createArgument } from 'commander';
import { describe } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';

/** `dexsync describe`: one object, live, last applied and in the manifests. Sends no write. */
export const describeCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'describe',
    summary: 'show everything about one object',
    description: 'Shows one object as it is in the workspace, what dexsync last did to it, and where its manifest is.',
    arguments: [createArgument('<address>', 'KIND/NAME, such as UserGroup/Quality')],
    options: [documentOption()],
    examples: ['dexsync describe "ImportDefinition/ERP item specs" --env prod'],
    run: async ({ host, project, print }, address: string) =>
      print(await describe({ ...project, address }, host), (texts) => texts.description),
  });
