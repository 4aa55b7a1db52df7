import { Command, Option } from 'commander';
import {
  type Ask,
  EXIT,
  listEvents,
  type ReconcileOptions,
  reconcileEvents,
  showEvent,
  texts,
} from '../library/library.js';
import type { Cli } from './cli-context.js';
import { productionConfirmation, yesConfirmation } from './confirm.js';
import { examples } from './examples.js';
import { formatOption, type ListFlags, printList, withFormat } from './format-option.js';
import { documentOption } from './json-option.js';
import { collectTexts } from './option-values.js';
import { printDocument, printOutcome } from './print-document.js';
import { run } from './run.js';

interface EventsFlags extends ListFlags {
  readonly reconciled: 'true' | 'false' | 'any';
  readonly item: readonly string[];
  readonly all?: boolean;
  readonly yes?: boolean;
}

/** `dexsync events`: lists, shows and sets the events of an outbound integration (wire-facts 6). */
export const eventsCommand = (cli: Cli): Command =>
  new Command('events')
    .summary('list and reconcile the events of an outbound integration')
    .description('Lists the events of an outbound integration, shows one, and sets them to reconciled or unreconciled.')
    .addCommand(listEventsCommand(cli))
    .addCommand(showEventCommand(cli))
    .addCommand(setCommand(cli, 'reconcile', 'reconciled'))
    .addCommand(setCommand(cli, 'unreconcile', 'unreconciled'));

const INTEGRATION = 'name of the integration; `dexsync get OutboundIntegration` lists them';
const EVENT = 'GUID of an event, or its first characters, as `dexsync events list` prints it';

const listEventsCommand = (cli: Cli): Command =>
  new Command('list')
    .summary('list events, oldest first')
    .description('Lists the events of an integration, oldest first: by default those that are not yet reconciled.')
    .argument('<integration>', INTEGRATION)
    .addOption(
      new Option('--reconciled <which>', 'which events to list; false: those not yet reconciled')
        .choices(['true', 'false', 'any'])
        .default('false'),
    )
    .addOption(formatOption())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync events list ERP --reconciled any'))
    .action(async (integration: string, _: unknown, command: Command) => {
      const options = withFormat(command.optsWithGlobals<EventsFlags>());
      await run(cli, 'findings', options, async ({ host, project }) => {
        const listing = await listEvents({ ...project, integration, reconciled: options.reconciled }, host);
        await printList(
          cli,
          options,
          listing,
          (texts) => texts.events,
          ({ events }) => events.map(({ guid }) => guid),
        );
        return EXIT.done;
      });
    });

const showEventCommand = (cli: Cli): Command =>
  new Command('show')
    .summary('show one event, with values before and after')
    .description('Shows the items of one event and the values of their fields before and after the change.')
    .argument('<integration>', INTEGRATION)
    .argument('<event>', EVENT)
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync events show ERP 4K7QX2'))
    .action(async (integration: string, event: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<EventsFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const details = await showEvent({ ...project, integration, event }, host);
        await printDocument(cli, options, details, (texts) => texts.event);
        return EXIT.done;
      });
    });

function bulkConfirmation(
  cli: Cli,
  verb: string,
  options: EventsFlags,
  question: (count: number) => string,
): Ask<number> {
  const ask = yesConfirmation(cli, `events ${verb} --all`, options);
  return async (count, place) => ask(`${question(count)} ${(await texts(cli.color)).place(place)}?`);
}

const setCommand = (cli: Cli, verb: 'reconcile' | 'unreconcile', to: ReconcileOptions['to']): Command =>
  new Command(verb)
    .summary(`set events to ${to}`)
    .description(`Sets events, or items of one event, to ${to}. Those that are already ${to} are not sent again.`)
    .argument('<integration>', INTEGRATION)
    .argument('[event...]', EVENT)
    .option('--item <number|guid>', 'only this item of the event; can be repeated', collectTexts, [])
    .option('--all', `all events that are not ${to}; asks for confirmation, and needs --yes without a terminal`)
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples(`dexsync events ${verb} ERP 4K7QX2 9B1C`, `dexsync events ${verb} ERP 4K7QX2 --item 100-0001`),
    )
    .action(async (integration: string, names: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<EventsFlags>();
      await run(cli, 'findings', options, async ({ host, project, view }) => {
        const { item: items, all } = options;
        const events = all === true && names.length === 0 ? 'all' : names;
        const question = (count: number): string =>
          `Set ${count} ${count === 1 ? 'event' : 'events'} of ${integration} to ${to} in`;
        const confirm =
          all === true
            ? bulkConfirmation(cli, verb, options, question)
            : productionConfirmation(cli, options, view, question);
        const done = await reconcileEvents({ ...project, integration, events, items, to, confirm }, host);
        await printOutcome(cli, options, done, (texts) => texts.reconciliation);
        return done.status === 'done' ? EXIT.done : EXIT.incomplete;
      });
    });
