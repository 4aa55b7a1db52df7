import { type Command, createArgument, createOption } from 'commander';
import { texts } from '../library/internal.js';
import { type Ask, EXIT, listEvents, type ReconcileOptions, reconcileEvents, showEvent } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type ConfirmFlags, productionConfirmation, yesConfirmation, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { formatOption } from './format-option.js';
import { documentOption } from './json-option.js';
import { collectTexts } from './option-values.js';

/** `dexsync events`: lists, shows and sets the events of an outbound integration (wire-facts 6). */
export const eventsCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'events',
    summary: 'list and reconcile the events of an outbound integration',
    description: 'Lists the events of an outbound integration, shows one, and sets them to reconciled or unreconciled.',
    subcommands: [
      listEventsCommand(cli),
      showEventCommand(cli),
      setCommand(cli, 'reconcile', 'reconciled'),
      setCommand(cli, 'unreconcile', 'unreconciled'),
    ],
  });

const INTEGRATION = 'name of the integration; `dexsync get OutboundIntegration` lists them';
const EVENT = 'GUID of an event, or its first characters, as `dexsync events list` prints it';

type ListFlags = GlobalOptions & { readonly reconciled: 'true' | 'false' | 'any' };

const listEventsCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'list',
    summary: 'list events, oldest first',
    description: 'Lists the events of an integration, oldest first: by default those that are not yet reconciled.',
    arguments: [createArgument('<integration>', INTEGRATION)],
    options: [
      createOption('--reconciled <which>', 'which events to list; false: those not yet reconciled')
        .choices(['true', 'false', 'any'])
        .default('false'),
      formatOption(),
      documentOption(),
    ],
    examples: ['dexsync events list ERP --reconciled any'],
    run: async ({ flags: { reconciled }, host, project, printList }: CommandRun<ListFlags>, integration: string) =>
      printList(
        await listEvents({ ...project, integration, reconciled }, host),
        (all) => all.events,
        ({ events }) => events.map(({ guid }) => guid),
      ),
  });

const showEventCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'show',
    summary: 'show one event, with values before and after',
    description: 'Shows the items of one event and the values of their fields before and after the change.',
    arguments: [createArgument('<integration>', INTEGRATION), createArgument('<event>', EVENT)],
    options: [documentOption()],
    examples: ['dexsync events show ERP 4K7QX2'],
    run: async ({ host, project, print }, integration: string, event: string) =>
      print(await showEvent({ ...project, integration, event }, host), (all) => all.event),
  });

interface SetFlags extends ConfirmFlags {
  readonly item: readonly string[];
  readonly all?: boolean;
}

const setCommand = (cli: Cli, verb: 'reconcile' | 'unreconcile', to: ReconcileOptions['to']): Command =>
  defineCommand(cli, {
    name: verb,
    summary: `set events to ${to}`,
    description: `Sets events, or items of one event, to ${to}. Those that are already ${to} are not sent again.`,
    arguments: [createArgument('<integration>', INTEGRATION), createArgument('[event...]', EVENT)],
    options: [
      createOption('--item <number|guid>', 'only this item of the event; can be repeated')
        .default([])
        .argParser(collectTexts),
      createOption('--all', `all events that are not ${to}; asks for confirmation, and needs --yes without a terminal`),
      yesOption(),
      documentOption(),
    ],
    examples: [`dexsync events ${verb} ERP 4K7QX2 9B1C`, `dexsync events ${verb} ERP 4K7QX2 --item 100-0001`],
    run: async (run: CommandRun<SetFlags>, integration: string, names: string[]) => {
      const { item: items, all } = run.flags;
      const events = all === true && names.length === 0 ? 'all' : names;
      const question = (count: number): string =>
        `Set ${count} ${count === 1 ? 'event' : 'events'} of ${integration} to ${to} in`;
      const confirm = all === true ? bulkConfirmation(run, verb, question) : productionConfirmation(run, question);
      const done = await reconcileEvents({ ...run.project, integration, events, items, to, confirm }, run.host);
      const exitCode = done.status === 'done' ? EXIT.done : EXIT.incomplete;
      return run.printOutcome(done, (all) => all.reconciliation, exitCode);
    },
  });

function bulkConfirmation(run: CommandRun<SetFlags>, verb: string, question: (count: number) => string): Ask<number> {
  const ask = yesConfirmation(run, `events ${verb} --all`);
  return async (count, place) => ask(`${question(count)} ${(await texts(run.cli.color)).place(place)}?`);
}
