import { type Command, createArgument } from 'commander';
import { checkPlan, EXIT } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';

/** `dexsync plan check`: whether a saved plan could be applied now. Sends no write; exit 5 if it could not. */
export const planCheckCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'check',
    summary: 'check whether a saved plan can still be applied',
    description:
      'Reads the objects of a saved plan again and shows what changed since it was created. Read-only. Exits ' +
      'with 5 if the plan is stale, altered, already applied, or for another workspace.',
    arguments: [createArgument('<file>', 'plan saved by `dexsync plan --out`: a file, or ledger:NAME')],
    options: [documentOption()],
    examples: ['dexsync plan check plan.json', 'dexsync plan check ledger:release-12 --env prod'],
    run: async ({ host, project, print, printOutcome }, file: string) => {
      const check = await checkPlan({ ...project, file }, host);
      if (check.applies) return printOutcome(check, (texts) => texts.planCheck);
      return print(check, (texts) => texts.planCheck, EXIT.stale);
    },
  });
