import { Command } from 'commander';
import { EXIT, type Locks, releaseLocks, showLocks, texts } from '../index.js';
import type { Cli } from './cli-context.js';
import { yesConfirmation } from './confirm.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

interface LockFlags extends DocumentFlags {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** `dexsync lock`: shows leases and frees an environment; no request is sent. */
export const lockCommand = (cli: Cli): Command =>
  new Command('lock')
    .summary('see who uses an environment, and free it')
    .addCommand(showLocksCommand(cli))
    .addCommand(releaseLocksCommand(cli));

const showLocksCommand = (cli: Cli): Command =>
  new Command('show')
    .summary('tell who uses the environment at the moment')
    .description(
      'Commands that write have a lease on the service and the user that they log in as. Shows every lease of the ' +
        "environment's service and whether its holder is alive. Needs no login and sends no request.",
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  dexsync lock show --env prod')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<LockFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const locks = await showLocks(project, host);
        await printDocument(cli, options, locks, (texts) => texts.locks);
        return EXIT.done;
      });
    });

const releaseLocksCommand = (cli: Cli): Command =>
  new Command('release')
    .summary('remove leases that were left behind')
    .description(
      'Removes the leases of holders that are gone, which the next command that writes does by itself. With --force it ' +
        'takes the lease from a holder that may be at work, too: that one stops before its next write, but what it has ' +
        'sent may still be carried out, and it can log in as the same user no longer.',
    )
    .option('--force', 'take the lease from whoever has it')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  dexsync lock release --env prod --force')
    .action(async (_: unknown, command: Command) => {
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
        await printDocument(cli, options, released, (texts) => texts.released);
        return EXIT.done;
      });
    });

const takeQuestion = ({ environment, service, leases }: Locks, line: (text: string) => string): string =>
  `${leases.map((lease) => `${line(lease.state === 'damaged' ? lease.file : lease.by)}\n`).join('')}` +
  'A command that is still running stops before its next write; requests that it already sent may still take effect.\n' +
  `Take the lock of environment ${environment} (${service}) from it?`;
