import { Command } from 'commander';
import { EXIT, type Locks, releaseLocks, showLocks, texts } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { yesConfirmation } from './confirm.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printDocument, printOutcome } from './print-document.js';
import { run } from './run.js';

interface LockFlags extends DocumentFlags {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** `dexsync lock`: shows leases and frees an environment; no request is sent. */
export const lockCommand = (cli: Cli): Command =>
  new Command('lock')
    .summary('show who uses an environment, and release its lock')
    .description('Shows who uses an environment at the moment, and releases its lock.')
    .addCommand(showLocksCommand(cli))
    .addCommand(releaseLocksCommand(cli));

const showLocksCommand = (cli: Cli): Command =>
  new Command('show')
    .summary('show who uses the environment at the moment')
    .description(
      'A command that writes takes a lock on the service and the user that it logs in as. Shows every lock on the ' +
        "environment's service and whether its holder is still running. Needs no login and sends no request.",
    )
    .addArgument(environmentWord())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync lock show --env prod'))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<LockFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const locks = await showLocks(project, host);
        await printDocument(cli, options, locks, (texts) => texts.locks);
        return EXIT.done;
      });
    });

const releaseLocksCommand = (cli: Cli): Command =>
  new Command('release')
    .summary('remove locks that were left behind')
    .description(
      'Removes locks whose holder is gone; the next command that writes would also do so. With --force it takes ' +
        'the lock from a holder that may still be running: that command stops before its next write and can no ' +
        'longer log in as the same user, but requests that it already sent may still take effect.',
    )
    .addArgument(environmentWord())
    .option('--force', 'take the lock even if its holder is still running')
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync lock release --env prod --force'))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<LockFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const ask = options.force === true ? yesConfirmation(cli, 'lock release --force', options) : async () => true;
        const { line } = await texts(cli.color);
        const confirm = (living: Locks): Promise<boolean> => ask(takeQuestion(living, line));
        const living = options.force === true ? 'taken' : 'kept';
        const released = await releaseLocks({ ...project, living, confirm }, host);
        if (released === undefined) {
          cli.err.write('Nothing was released.\n');
          return EXIT.incomplete;
        }
        await printOutcome(cli, options, released, (texts) => texts.released);
        return EXIT.done;
      });
    });

const takeQuestion = ({ environment, service, leases }: Locks, line: (text: string) => string): string =>
  `${leases.map((lease) => `${line(lease.state === 'damaged' ? lease.file : lease.by)}\n`).join('')}` +
  'A command that is still running stops before its next write; requests that it already sent may still take effect.\n' +
  `Take the lock of environment ${environment} (${service}) from it?`;
