import { Command } from 'commander';
import { EXIT, readPlan, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { run } from './run.js';

interface Options extends GlobalOptions {
  readonly json?: boolean;
}

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
      const options = command.optsWithGlobals<Options>();
      await run(cli, 'findings', options, async ({ host }) => {
        const shown = await readPlan(file, host);
        const human = await texts(cli.color, cli.width);
        cli.out.write(options.json === true ? jsonDocument(shown) : human.savedPlan(shown));
        return EXIT.done;
      });
    });
