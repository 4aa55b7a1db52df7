import { type Command, createArgument } from 'commander';
import { acknowledgeImport, DexsyncError } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { eventsOption } from './json-option.js';
import { reasonOption } from './reason-option.js';

/** `dexsync import acknowledge`: changes only the ledger; nothing is sent. */
export const importAcknowledgeCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'acknowledge',
    summary: 'accept that failed rows of an import stay out',
    description:
      'Records that the rows of a committed import that failed are not needed: `dexsync plan` no longer reports them, and ' +
      '`dexsync import list` shows who accepted that, when and why. It counts until other rows of the import are ' +
      'committed. Only the ledger changes. `dexsync forget Import/NAME` withdraws it.',
    arguments: [createArgument('<run>', 'number of a run, or name of an import')],
    options: [reasonOption('why the rows are not needed (required)'), eventsOption()],
    examples: ['dexsync import acknowledge 12 --reason "obsolete parts, CHG-7"'],
    run: async ({ flags, host, project }, named: string) =>
      (await acknowledgeImport({ ...project, run: named, reason: reasonIn(flags) }, host)).exitCode,
  });

/** The parser cannot require `--reason` here: `import` has the option too and takes its value first. */
function reasonIn({ reason }: GlobalOptions): string {
  if (reason !== undefined) return reason;
  throw new DexsyncError('USAGE', 'Required option `--reason <text>` not specified.', {
    hint: 'See `dexsync import acknowledge --help`.',
  });
}
