import { Command } from 'commander';
import { EXIT, readPlan } from '../index.js';
import type { Cli } from './cli-context.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync show`: a saved plan for review; reaches no workspace and needs no configuration. */
export const showCommand = (cli: Cli): Command =>
  new Command('show')
    .summary('show a saved plan')
    .description(
      'Prints a plan that `dexsync plan --out` saved: where it comes from, whether it is as it was saved, and every step. ' +
        'Reaches no workspace and needs no configuration.',
    )
    .argument('<file>', 'the saved plan')
    .option('--json', 'print one JSON document: the plan, its digest and what its signature is')
    .addHelpText('after', '\nExamples:\n  dexsync show plan.json\n  dexsync show plan.json --json | jq .plan.summary')
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host }) => {
        const shown = await readPlan(file, host);
        await printDocument(cli, options, shown, (texts) => texts.savedPlan);
        return EXIT.done;
      });
    });
