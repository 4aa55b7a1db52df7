import { Command } from 'commander';
import { EXIT, readPlan } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync show`: a saved plan for review; reaches no workspace and needs no configuration. */
export const showCommand = (cli: Cli): Command =>
  new Command('show')
    .summary('show a saved plan')
    .description(
      'Prints a plan saved by `dexsync plan --out`: where it comes from, whether it is unchanged, and every ' +
        'step. With --json also its digest and signature. Contacts no workspace. A plan file needs no configuration; a plan ' +
        'in the ledger is shown with its reviews.',
    )
    .argument('<file>', 'saved plan: a file, or ledger:NAME')
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples(
        'dexsync show plan.json',
        'dexsync show ledger:release-12 --env prod',
        'dexsync show plan.json --json | jq .plan.summary',
      ),
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const shown = await readPlan(file, host, project);
        await printDocument(cli, options, shown, (texts) => texts.savedPlan);
        return EXIT.done;
      });
    });
