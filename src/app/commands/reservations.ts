import { type Command, createArgument } from 'commander';
import { releaseReservation } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, planConfirmation, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { eventsOption } from './json-option.js';
import { reasonOption } from './reason-option.js';

/** `dexsync reservations release`: releases numbers, which an apply never does by itself. */
export const reservationsCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'reservations',
    summary: 'release reserved item numbers',
    description: 'Releases reserved item numbers.',
    subcommands: [releaseNumbersCommand(cli)],
  });

const releaseNumbersCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'release',
    summary: 'release the numbers of a reservation',
    description:
      'Deletes a reservation and its continuations (NAME #2, ...). Others can take the numbers immediately; this cannot ' +
      'be undone. Remove its manifest too, or the next apply reserves numbers again.',
    arguments: [
      createArgument(
        '<name>',
        'name of the reservation; `dexsync get NumberReservation` lists them with their numbers',
      ),
    ],
    options: [yesOption(), reasonOption(), eventsOption()],
    examples: ['dexsync reservations release "Spring housings"'],
    run: async (run: CommandRun<ConfirmFlags>, name: string) => {
      const confirm = planConfirmation(run, { command: 'reservations release', ask: 'Release these numbers in' });
      return run.finish(await releaseReservation({ ...run.project, name, confirm }, run.host), 'Nothing was released.');
    },
  });
