import { Command } from 'commander';
import { checkPlan, EXIT } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printOutcome } from './print-document.js';
import { run } from './run.js';

/** `dexsync plan check`: whether a saved plan could be applied now. Sends no write; exit 5 where it could not. */
export const planCheckCommand = (cli: Cli): Command =>
  new Command('check')
    .summary('check whether a saved plan can still be applied')
    .description(
      'Reads the objects of a saved plan again and shows what changed since it was created. Read-only. Exits ' +
        'with 5 if the plan is stale, altered, already applied, or for another workspace.',
    )
    .argument('<file>', 'plan saved by `dexsync plan --out`: a file, or ledger:NAME')
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync plan check plan.json', 'dexsync plan check ledger:release-12 --env prod'))
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const check = await checkPlan({ ...project, file }, host);
        await printOutcome(
          cli,
          check.applies === 'yes' ? options : { ...options, quiet: false },
          check,
          (texts) => texts.planCheck,
        );
        return check.applies === 'yes' ? EXIT.done : EXIT.stale;
      });
    });
