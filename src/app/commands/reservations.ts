import { Command } from 'commander';
import { EXIT, releaseReservation } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type ConfirmFlags, planConfirmation } from './confirm.js';
import { examples } from './examples.js';
import { eventsOption } from './json-option.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

/** `dexsync reservations release`: gives numbers back, which an apply never does by itself. */
export const reservationsCommand = (cli: Cli): Command =>
  new Command('reservations')
    .summary('release reserved item numbers')
    .description('Releases reserved item numbers.')
    .addCommand(releaseNumbersCommand(cli));

const releaseNumbersCommand = (cli: Cli): Command =>
  new Command('release')
    .summary('release the numbers of a reservation')
    .description(
      'Deletes a reservation and its continuations (NAME #2, ...). Others can take the numbers immediately; this cannot ' +
        'be undone. Remove its manifest too, or the next apply reserves numbers again.',
    )
    .argument('<name>', 'name of the reservation; `dexsync get NumberReservation` lists them with their numbers')
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addHelpText('after', examples('dexsync reservations release "Spring housings"'))
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ConfirmFlags>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = planConfirmation(
          cli,
          { command: 'reservations release', ask: 'Release these numbers in' },
          options,
        );
        const summary = await releaseReservation({ ...project, name, confirm: confirm(view) }, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was released.\n');
        return EXIT.incomplete;
      });
    });
