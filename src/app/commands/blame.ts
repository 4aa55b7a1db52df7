import { type Command, createArgument } from 'commander';
import { blame } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';

/** `dexsync blame`: who set the fields of an object, from the journals alone; no request is sent. */
export const blameCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'blame',
    summary: 'show who set each field of an object',
    description:
      'Shows the apply that set each field of an object last: who, when, from which commit, file and line, and for a ' +
      'promotion the release and the commit at its source. Follows renames. Reads only the journals of dexsync and sends ' +
      'no request.',
    arguments: [createArgument('<object>', 'KIND/NAME, or KIND/NAME#FIELD for one field')],
    options: [documentOption()],
    examples: ['dexsync blame UserGroup/Quality --env prod', "dexsync blame 'UserGroup/Quality#description' --json"],
    run: async ({ host, project, print }, object: string) =>
      print(await blame({ ...project, object }, host), (texts) => texts.blame),
  });
