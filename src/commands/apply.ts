import { Command } from 'commander';
import { apply, DexsyncError, EXIT, type Plan, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { run, type ViewKind } from './run.js';

interface Options extends GlobalOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export const applyCommand = (cli: Cli): Command =>
  new Command('apply')
    .summary('make the workspace as the manifests say')
    .description(
      'Plans, shows the plan, asks, and carries out exactly that plan. A step that fails skips only what needs it.',
    )
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON event a line, the last one a summary')
    .addHelpText('after', '\nExamples:\n  dexsync apply\n  dexsync apply --env prod --yes --json')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const kind: ViewKind = options.json === true ? 'json' : 'human';
      await run(cli, kind, options, async ({ host, project, view }) => {
        if (options.yes !== true && (cli.input === 'none' || options.json === true)) throw notConfirmed();
        const confirm = async (plan: Plan): Promise<boolean> => {
          if (options.yes === true) return true;
          await view.close();
          const { line } = await texts(cli.color);
          return (
            (await cli.ask(`\nApply this plan to workspace "${line(plan.workspace.name)}"? Only "yes" does. `)) ===
            'yes'
          );
        };
        const summary = await apply({ ...project, confirm }, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was applied.\n');
        return EXIT.incomplete;
      });
    });

const notConfirmed = (): DexsyncError =>
  new DexsyncError('CONFIRMATION_NEEDED', 'apply asks before it writes, and there is no terminal to ask at.', {
    hint: 'Review `dexsync plan`, then run `dexsync apply --yes`.',
  });
