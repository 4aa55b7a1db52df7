import { type Command, createArgument, createOption } from 'commander';
import { acceptLedger, checkLedger, EXIT, moveLedger, rebuildLedger } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type ConfirmFlags, planConfirmation, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption, eventsOption } from './json-option.js';
import { reasonOption } from './reason-option.js';

/** `dexsync ledger`: what dexsync knows of a workspace beyond its live state, and where that is kept. */
export const ledgerCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'ledger',
    summary: 'check, move, rebuild or accept the ledger',
    description:
      'The ledger records what was applied to a workspace: who owns which object, which imports were committed, and ' +
      'every apply with its plan. It is kept in files next to the configuration, in a branch of a git repository, or in ' +
      'a PostgreSQL database; `ledger` in the configuration says where.',
    subcommands: [checkCommand(cli), moveCommand(cli), rebuildCommand(cli), acceptCommand(cli)],
  });

const checkCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'check',
    summary: 'read the whole ledger and report damage',
    description:
      'Reads every journal, follows the hash of every line, and compares the saved state with what the journals add up ' +
      'to. Verifies the signed verdicts of every apply. Sends no request.',
    arguments: [environmentWord()],
    options: [documentOption()],
    examples: ['dexsync ledger check --env prod', 'dexsync ledger check --json'],
    run: async ({ host, project, print, printOutcome }) => {
      const checked = await checkLedger(project, host);
      if (checked.problems.length === 0) return printOutcome(checked, (texts) => texts.ledger);
      return print(checked, (texts) => texts.ledger, EXIT.failed);
    },
  });

type MoveFlags = GlobalOptions & { readonly from: string };

const moveCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'move',
    summary: 'move the ledger to where the configuration says',
    description:
      'Copies the ledger of the workspace from its old place to the one that `ledger` in the configuration names, reads ' +
      'the copy again, and closes the old one, so that nobody continues to use it by mistake. Saved plans, releases and ' +
      'rollouts move along. Both places are locked meanwhile. If it is interrupted, run it again.',
    arguments: [environmentWord()],
    options: [
      createOption(
        '--from <place>',
        'where it is now: `file`, `file:FOLDER`, `git`, `git:REMOTE#BRANCH`, or the URL of a PostgreSQL database',
      ).makeOptionMandatory(),
      reasonOption(),
      documentOption(),
    ],
    examples: ['dexsync ledger move --from file --env prod', 'dexsync ledger move --from git:origin#dexsync-ledger'],
    run: async ({ flags: { from }, host, project, printOutcome }: CommandRun<MoveFlags>) =>
      printOutcome(await moveLedger({ ...project, from }, host), (texts) => texts.movedLedger),
  });

const rebuildCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'rebuild',
    summary: 'repair a damaged or lost ledger from the workspace',
    description:
      'Keeps everything that can still be read of a damaged ledger, then compares the manifests with the workspace: ' +
      'objects that are exactly as their manifests describe them become owned by this stack, and imports whose runs the ' +
      'workspace still shows are recorded as committed. Sends no write. What neither of them shows (who owned other ' +
      'objects, what was last applied to them) stays unknown: adopt such objects with `dexsync adopt` or ' +
      '`dexsync apply --adopt`.',
    arguments: [environmentWord()],
    options: [yesOption(), reasonOption(), eventsOption()],
    examples: ['dexsync ledger rebuild --env prod'],
    run: async (run: CommandRun<ConfirmFlags>) => {
      const confirm = planConfirmation(run, { command: 'ledger rebuild', ask: 'Enter these in the ledger of' });
      return run.finish(await rebuildLedger({ ...run.project, confirm }, run.host), 'Nothing was entered.');
    },
  });

const acceptCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'accept',
    summary: 'use a ledger that has lost its newest journals',
    description:
      'A ledger is refused if it is older than what was seen of it: somebody deleted or cut its newest journal, rewound ' +
      'its branch, or put back a backup. An empty one is refused if the workspace has another. This command makes what is left the ledger, and enters that in the history. What the ' +
      'lost journal recorded (objects created, their protection, imports) is unknown from then on.',
    arguments: [createArgument('<journal>', 'the lost journal, as the error message names it')],
    options: [reasonOption(), documentOption()],
    examples: ['dexsync ledger accept j00000007_20261124T101500000Z-3f0c.jsonl'],
    run: async ({ host, project, printOutcome }, journal: string) =>
      printOutcome(await acceptLedger({ ...project, journal }, host), (texts) => texts.acceptedLedger),
  });
