import { Command } from 'commander';
import { checkEnvironment, EXIT, listEnvironments } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { formatOption, type ListFlags, printList, withFormat } from './format-option.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync env`: what the configuration describes, and what can be done there. Sends no write. */
export const envCommand = (cli: Cli): Command =>
  new Command('env')
    .summary('list and check environments')
    .description('Lists and checks the environments of sync.config.yaml; in every command, --env NAME chooses one.')
    .addCommand(listEnvironmentsCommand(cli))
    .addCommand(checkEnvironmentCommand(cli));

const listEnvironmentsCommand = (cli: Cli): Command =>
  new Command('list')
    .summary('list the environments of the configuration')
    .description(
      'Lists environments with their workspace, profile, ledger, overlay and variables. Contacts none of them and needs no ' +
        'credentials.',
    )
    .addOption(formatOption())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync env list', 'dexsync env list --json | jq -r ".[].name"'))
    .action(async (_: unknown, command: Command) => {
      const options = withFormat(command.optsWithGlobals<ListFlags>());
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await listEnvironments(project, host);
        await printList(
          cli,
          options,
          found,
          (texts) => texts.environments,
          (all) => all.map(({ name }) => name),
        );
        return EXIT.done;
      });
    });

const checkEnvironmentCommand = (cli: Cli): Command =>
  new Command('check')
    .summary('log in to an environment and show what can be done there')
    .description(
      'Logs in and shows the workspace, release and quota, and what the profile can list, create, update and ' +
        'delete. Read-only.',
    )
    .addArgument(environmentWord())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync env check prod', 'dexsync env check --json | jq .release'))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const facts = await checkEnvironment(project, host);
        await printDocument(cli, options, facts, (texts) => texts.environment);
        return EXIT.done;
      });
    });
