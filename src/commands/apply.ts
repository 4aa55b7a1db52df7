import { Command } from 'commander';
import { apply, DexsyncError, EXIT, type Plan } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { manifestOptions } from './manifest-options.js';
import { wholeNumber } from './option-values.js';
import { run, type ViewKind } from './run.js';

interface Options extends GlobalOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly parallelism?: number;
}

export const applyCommand = (cli: Cli): Command =>
  manifestOptions(new Command('apply'))
    .summary('make the workspace as the manifests say')
    .description(
      'Plans, shows the plan, asks, and carries out exactly that plan. A step that fails skips only what needs it.',
    )
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON event a line, the last one a summary')
    .option('--parallelism <n>', 'how many steps may be under way at once, 1 to 64 (default 8)', wholeNumber(1, 64))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  dexsync apply\n' +
        '  dexsync apply --env prod --yes --json\n' +
        '  kustomize build overlay | dexsync apply -f - --var site=Vienna --yes',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const kind: ViewKind = options.json === true ? 'json' : 'human';
      await run(cli, kind, options, async ({ host, project, view }) => {
        const mute = cli.input === 'none' || options.json === true || options.file?.includes('-') === true;
        if (options.yes !== true && mute) throw notConfirmed();
        const confirm = async (plan: Plan): Promise<boolean> => {
          if (options.yes === true) return true;
          await view.close();
          return (
            (await cli.ask(`\nApply this plan to workspace "${plan.workspace.name}"? Only "yes" does. `)) === 'yes'
          );
        };
        const { parallelism } = options;
        const summary = await apply(
          { ...project, confirm, ...(parallelism === undefined ? {} : { parallelism }) },
          host,
        );
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was applied.\n');
        return EXIT.incomplete;
      });
    });

const notConfirmed = (): DexsyncError =>
  new DexsyncError('CONFIRMATION_NEEDED', 'apply asks before it writes, and there is no terminal to ask at.', {
    hint: 'Review `dexsync plan`, then run `dexsync apply --yes`.',
  });
