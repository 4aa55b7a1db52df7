import { Command } from 'commander';
import { checkPlan, EXIT, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { run } from './run.js';

interface Options extends GlobalOptions {
  readonly json?: boolean;
}

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
      const options = command.optsWithGlobals<Options>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const check = await checkPlan({ ...project, file }, host);
        const human = await texts(cli.color, cli.width);
        cli.out.write(options.json === true ? jsonDocument(check) : human.planCheck(check));
        return check.applies === 'yes' ? EXIT.done : EXIT.stale;
      });
    });
