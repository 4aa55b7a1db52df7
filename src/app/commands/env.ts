import { type Command, createOption } from 'commander';
import { checkEnvironment, EXIT, listEnvironments } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { formatOption } from './format-option.js';
import { documentOption } from './json-option.js';
import { pickGiven } from './option-values.js';

interface CheckFlags extends GlobalOptions {
  readonly notify?: boolean;
}

/** `dexsync env`: the environments of the configuration, and what can be done there. Sends no write. */
export const envCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'env',
    summary: 'list and check environments',
    description: 'Lists and checks the environments of sync.config.yaml; in every command, --env NAME chooses one.',
    subcommands: [listEnvironmentsCommand(cli), checkEnvironmentCommand(cli)],
  });

const listEnvironmentsCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'list',
    summary: 'list the environments of the configuration',
    description:
      'Lists environments with their workspace, profile, ledger, overlay, variables and labels. Contacts none of them and ' +
      'needs no credentials.',
    options: [formatOption(), documentOption()],
    examples: ['dexsync env list', 'dexsync env list --json | jq -r ".[].name"'],
    run: async ({ host, project, printList }) =>
      printList(
        await listEnvironments(project, host),
        (texts) => texts.environments,
        (all) => all.map(({ name }) => name),
      ),
  });

const checkEnvironmentCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'check',
    summary: 'log in to an environment and show what can be done there',
    description:
      'Logs in and shows the workspace, release and quota, and what the profile can list, create, update and ' +
      'delete. Read-only.',
    arguments: [environmentWord()],
    options: [
      createOption('--notify', 'also send a test message to each target of `notify` that hears of it'),
      documentOption(),
    ],
    examples: ['dexsync env check prod', 'dexsync env check prod --notify', 'dexsync env check --json | jq .release'],
    run: async ({ flags, host, project, print }: CommandRun<CheckFlags>) => {
      const facts = await checkEnvironment({ ...project, ...pickGiven(flags, 'notify') }, host);
      const isMissed = facts.notified?.some(({ failure }) => failure !== null) === true;
      return print(facts, (texts) => texts.environment, isMissed ? EXIT.failed : EXIT.done);
    },
  });
