import { type Command, createArgument, createOption } from 'commander';
import { EXIT, exportReviews, verifyPlan } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';

/** `dexsync plan verify`: what the signatures of a plan prove. */
export const planVerifyCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'verify',
    summary: 'verify a saved plan and the verdicts on it',
    description:
      'Verifies that a saved plan is as it was saved, and every signed verdict on it: who, with which key, when, and ' +
      'whether it counts by the signers and roles of this folder. An apply asks the remote for them. Needs no network ' +
      'but that of the ledger. Exits with 5 unless the plan has the approvals that it needs.',
    arguments: [createArgument('<plan>', 'saved plan: a file, or ledger:NAME')],
    options: [documentOption()],
    examples: ['dexsync plan verify ledger:release-12 --env prod', 'dexsync plan verify plan.json --json'],
    run: async ({ host, project, print }, file: string) => {
      const found = await verifyPlan({ ...project, file }, host);
      const isFine = found.missing === undefined && !found.isRejected;
      return print(found, (texts) => texts.planVerification, isFine ? EXIT.done : EXIT.stale);
    },
  });

interface ExportFlags extends GlobalOptions {
  readonly out: string;
}

/** `dexsync review`: signed verdicts beside the commands that give them. */
export const reviewCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'review',
    summary: 'export signed verdicts',
    description:
      'Where the configuration has `reviews`, verdicts are signed with SSH keys: `dexsync plan review` and `dexsync fleet ' +
      'review` give them, and this takes them to people without dexsync.',
    subcommands: [
      defineCommand(cli, {
        name: 'export',
        summary: 'write verdicts as files for ssh-keygen',
        description:
          'Writes each statement with its signature, the allowed signers of the remote and a script that checks them with ' +
          'OpenSSH: for auditors, who need no dexsync. Sends no request.',
        arguments: [
          createArgument('<of>', 'plan of the ledger, ledger:NAME, or the number of an apply in the history'),
        ],
        options: [
          createOption('--out <folder>', 'folder to write the files to').makeOptionMandatory(),
          documentOption(),
        ],
        examples: [
          'dexsync review export ledger:release-12 --env prod --out evidence',
          'dexsync review export 12 --env prod --out evidence && sh evidence/verify.sh',
        ],
        run: async ({ flags: { out }, host, project, printOutcome }: CommandRun<ExportFlags>, of: string) =>
          printOutcome(await exportReviews({ ...project, of, out }, host), (texts) => texts.exportedReviews),
      }),
    ],
  });
