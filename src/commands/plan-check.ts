import { Command } from 'commander';
import { checkPlan, EXIT } from '../index.js';
import type { Cli } from './cli-context.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync plan check`: whether a saved plan could be applied now. Sends no write; exit 5 where it could not. */
export const planCheckCommand = (cli: Cli): Command =>
  new Command('check')
    .summary('tell whether a saved plan still holds')
    .description('Reads what a saved plan touches and tells what changed since it was made. Sends no write.')
    .argument('<file>', 'a plan that `dexsync plan --out` saved')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  dexsync plan check plan.json\n\nExits with 5 where the plan is stale, altered, applied before, or of another workspace.',
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const check = await checkPlan({ ...project, file }, host);
        await printDocument(cli, options, check, (texts) => texts.planCheck);
        return check.applies === 'yes' ? EXIT.done : EXIT.stale;
      });
    });
