import { Command } from 'commander';
import { acknowledgeImport, DexsyncError } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { examples } from './examples.js';
import { eventsOption } from './json-option.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

/** `dexsync import acknowledge`: changes the ledger alone; nothing is sent. */
export const importAcknowledgeCommand = (cli: Cli): Command =>
  new Command('acknowledge')
    .summary('accept that failed rows of an import stay out')
    .description(
      'Records that the rows of a committed import that failed are not needed: `dexsync plan` no longer reports them, and ' +
        '`dexsync import list` shows who accepted that, when and why. It counts until other rows of the import are ' +
        'committed. Only the ledger changes. `dexsync forget Import/NAME` withdraws it.',
    )
    .argument('<run>', 'number of a run, or name of an import')
    .addOption(reasonOption('why the rows are not needed (required)'))
    .addOption(eventsOption())
    .addHelpText('after', examples('dexsync import acknowledge 12 --reason "obsolete parts, CHG-7"'))
    .action(async (named: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly reason?: string; readonly json?: boolean }>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project }) => {
        const { exitCode } = await acknowledgeImport({ ...project, run: named, reason: reasonIn(options) }, host);
        return exitCode;
      });
    });

/** `import` has an option of that name, too, and takes it first: what is required is not missed by the parser. */
function reasonIn({ reason }: { readonly reason?: string }): string {
  if (reason !== undefined) return reason;
  throw new DexsyncError('USAGE', 'Required option `--reason <text>` not specified.', {
    hint: 'See `dexsync import acknowledge --help`.',
  });
}
