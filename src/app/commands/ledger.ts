import { Command } from 'commander';
import { acceptLedger, checkLedger, EXIT, moveLedger, rebuildLedger } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type ConfirmFlags, planConfirmation } from './confirm.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption, eventsOption } from './json-option.js';
import { type DocumentFlags, printOutcome } from './print-document.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

/** `dexsync ledger`: what dexsync knows of a workspace beyond its live state, and where that is kept. */
export const ledgerCommand = (cli: Cli): Command =>
  new Command('ledger')
    .summary('check, move, rebuild or accept the ledger')
    .description(
      'The ledger records what was applied to a workspace: who owns which object, which imports were committed, and ' +
        'every apply with its plan. It is kept in files next to the configuration, in a branch of a git repository, or in ' +
        'a PostgreSQL database; `ledger` in the configuration says where.',
    )
    .addCommand(checkCommand(cli))
    .addCommand(moveCommand(cli))
    .addCommand(rebuildCommand(cli))
    .addCommand(acceptCommand(cli));

const checkCommand = (cli: Cli): Command =>
  new Command('check')
    .summary('read the whole ledger and report damage')
    .description(
      'Reads every journal, follows the hash of every line, and compares the saved state with what the journals add up ' +
        'to. Sends no request.',
    )
    .addArgument(environmentWord())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync ledger check --env prod', 'dexsync ledger check --json'))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const checked = await checkLedger(project, host);
        await printOutcome(
          cli,
          checked.problems.length === 0 ? options : { ...options, quiet: false },
          checked,
          (texts) => texts.ledger,
        );
        return checked.problems.length === 0 ? EXIT.done : EXIT.failed;
      });
    });

interface MoveFlags extends DocumentFlags {
  readonly from: string;
}

const moveCommand = (cli: Cli): Command =>
  new Command('move')
    .summary('move the ledger to where the configuration says')
    .description(
      'Copies the ledger of the workspace from its old place to the one that `ledger` in the configuration names, reads ' +
        'the copy again, and closes the old one, so that nobody continues to use it by mistake. Both places are locked ' +
        'meanwhile. If it is interrupted, run it again.',
    )
    .addArgument(environmentWord())
    .requiredOption(
      '--from <place>',
      'where it is now: `file`, `file:FOLDER`, `git`, `git:REMOTE#BRANCH`, or the URL of a PostgreSQL database',
    )
    .addOption(reasonOption())
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples('dexsync ledger move --from file --env prod', 'dexsync ledger move --from git:origin#dexsync-ledger'),
    )
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<MoveFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const moved = await moveLedger({ ...project, from: options.from }, host);
        await printOutcome(cli, options, moved, (texts) => texts.movedLedger);
        return EXIT.done;
      });
    });

const rebuildCommand = (cli: Cli): Command =>
  new Command('rebuild')
    .summary('repair a damaged or lost ledger from the workspace')
    .description(
      'Keeps everything that can still be read of a damaged ledger, then compares the manifests with the workspace: ' +
        'objects that are exactly as their manifests describe them become owned by this stack, and imports whose runs the ' +
        'workspace still shows are recorded as committed. Sends no write. What neither of them shows (who owned other ' +
        'objects, what was last applied to them) stays unknown: adopt such objects with `dexsync adopt` or ' +
        '`dexsync apply --adopt`.',
    )
    .addArgument(environmentWord())
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addHelpText('after', examples('dexsync ledger rebuild --env prod'))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ConfirmFlags>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const question = { command: 'ledger rebuild', ask: 'Enter these in the ledger of' };
        const confirm = planConfirmation(cli, question, options);
        const summary = await rebuildLedger({ ...project, confirm: confirm(view) }, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was entered.\n');
        return EXIT.incomplete;
      });
    });

const acceptCommand = (cli: Cli): Command =>
  new Command('accept')
    .summary('use a ledger that has lost its newest journals')
    .description(
      'A ledger is refused if it is older than what was seen of it: somebody deleted or cut its newest journal, rewound ' +
        'its branch, or put back a backup. An empty one is refused if the workspace has another. This command makes what is left the ledger, and enters that in the history. What the ' +
        'lost journal recorded (objects created, their protection, imports) is unknown from then on.',
    )
    .argument('<journal>', 'the lost journal, as the error message names it')
    .addOption(reasonOption())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync ledger accept j00000007_20261124T101500000Z-3f0c.jsonl'))
    .action(async (journal: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const accepted = await acceptLedger({ ...project, journal }, host);
        await printOutcome(cli, options, accepted, (texts) => texts.acceptedLedger);
        return EXIT.done;
      });
    });
