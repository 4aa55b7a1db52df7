import { type Command, createOption } from 'commander';
import { texts } from '../library/internal.js';
import { EXIT, type Locks, releaseLocks, showLocks } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, yesConfirmation, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';

/** `dexsync lock`: shows leases and frees an environment; no request is sent. */
export const lockCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'lock',
    summary: 'show who uses an environment, and release its lock',
    description: 'Shows who uses an environment at the moment, and releases its lock.',
    subcommands: [showLocksCommand(cli), releaseLocksCommand(cli)],
  });

const showLocksCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'show',
    summary: 'show who uses the environment at the moment',
    description:
      'A command that writes takes a lock on the service and the user that it logs in as. Shows every lock on the ' +
      "environment's service and whether its holder is still running. Needs no login and sends no request.",
    arguments: [environmentWord()],
    options: [documentOption()],
    examples: ['dexsync lock show --env prod'],
    run: async ({ host, project, print }) => print(await showLocks(project, host), (all) => all.locks),
  });

type ReleaseFlags = ConfirmFlags & { readonly force?: boolean };

const releaseLocksCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'release',
    summary: 'remove locks that were left behind',
    description:
      'Removes locks whose holder is gone; the next command that writes would also do so. With --force it takes ' +
      'the lock from a holder that may still be running: that command stops before its next write and can no ' +
      'longer log in as the same user, but requests that it already sent may still take effect.',
    arguments: [environmentWord()],
    options: [
      createOption('--force', 'take the lock even if its holder is still running'),
      yesOption(),
      documentOption(),
    ],
    examples: ['dexsync lock release --env prod --force'],
    run: async (run: CommandRun<ReleaseFlags>) => {
      const isForced = run.flags.force === true;
      const ask = isForced ? yesConfirmation(run, 'lock release --force') : async () => true;
      const { line } = await texts(cli.color);
      const confirm = (leases: Locks): Promise<boolean> => ask(takeQuestion(leases, line));
      const living = isForced ? 'taken' : 'kept';
      const released = await releaseLocks({ ...run.project, living, confirm }, run.host);
      if (released !== undefined) return run.printOutcome(released, (all) => all.released);
      cli.err.write('Nothing was released.\n');
      return EXIT.incomplete;
    },
  });

const takeQuestion = ({ environment, service, leases }: Locks, line: (text: string) => string): string =>
  `${leases.map((lease) => `${line(lease.state === 'damaged' ? lease.file : lease.by)}\n`).join('')}` +
  'A command that is still running stops before its next write; requests that it already sent may still take effect.\n' +
  `Take the lock of environment ${environment} (${service}) from it?`;
