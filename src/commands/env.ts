import { Command } from 'commander';
import { checkEnvironment, EXIT } from '../index.js';
import type { Cli } from './cli-context.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync env check`: logs in and tells what can be done there. Sends no write. */
export const envCommand = (cli: Cli): Command =>
  new Command('env').summary('work with environments').addCommand(checkEnvironmentCommand(cli));

const checkEnvironmentCommand = (cli: Cli): Command =>
  new Command('check')
    .summary('reach an environment, log in, and tell what can be done there')
    .description(
      'Logs in and prints workspace, release, quota, and what the profile can list, create, update and delete. Sends no write.',
    )
    .argument('[name]', 'the environment; like --env')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync env check prod\n  dexsync env check --json | jq .release')
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      const chosen = name === undefined ? options : { ...options, env: name };
      await run(cli, 'findings', chosen, async ({ host, project }) => {
        const facts = await checkEnvironment(project, host);
        await printDocument(cli, options, facts, (texts) => texts.environment);
        return EXIT.done;
      });
    });
