import { type Command, createArgument } from 'commander';
import { readPlan } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';

/** `dexsync show`: a saved plan for review; contacts no workspace and needs no configuration. */
export const showCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'show',
    summary: 'show a saved plan',
    description:
      'Prints a plan saved by `dexsync plan --out`: where it comes from, whether it is unchanged, and every ' +
      'step. With --json also its digest and signature. Contacts no workspace. A plan file needs no configuration; a plan ' +
      'in the ledger is shown with its reviews.',
    arguments: [createArgument('<file>', 'saved plan: a file, or ledger:NAME')],
    options: [documentOption()],
    examples: [
      'dexsync show plan.json',
      'dexsync show ledger:release-12 --env prod',
      'dexsync show plan.json --json | jq .plan.summary',
    ],
    run: async ({ host, project, print }, file: string) =>
      print(await readPlan(file, host, project), (texts) => texts.savedPlan),
  });
