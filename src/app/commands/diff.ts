import { type Command, createArgument, createOption } from 'commander';
import { diff } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { addPairOptions, type PairFlags, pairFlags, readEnvironmentPair } from './environment-pair.js';
import { exitCodeOfDiff } from './exit-codes.js';
import { documentOption } from './json-option.js';
import { collectTexts, pickGiven } from './option-values.js';
import { summaryOption } from './quiet-option.js';
import { type ReportFlags, reportOption } from './report-option.js';

interface DiffFlags extends ReportFlags, PairFlags {
  readonly kind?: readonly string[];
}

/** `dexsync diff`: two live workspaces side by side. Sends no write; exit 2 if they differ. */
export const diffCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'diff',
    summary: 'compare two live workspaces',
    description:
      'Compares the objects of two workspaces by kind and name, field by field; references are compared by name, never by ' +
      'GUID. Reads no manifests. Read-only. Exits with 2 if anything differs, with 4 if nothing differs but something cannot be compared.',
    shared: [addPairOptions('environment that is compared with it')],
    arguments: [
      createArgument('[pattern...]', 'only these objects: KIND or KIND/NAME; * matches any text, ? one character'),
    ],
    options: [
      createOption('--kind <kind>', 'only objects of this kind; can be repeated').argParser(collectTexts),
      documentOption(),
      summaryOption(),
      reportOption(),
    ],
    examples: [
      'dexsync diff dev prod',
      "dexsync diff dev 'site-*' --summary",
      "dexsync diff --from dev --to prod 'ImportDefinition/ERP*' UserGroup",
      'dexsync diff --from dev --to prod --kind Policy --summary',
      'dexsync diff --from dev --to prod --json | jq .objects',
      'dexsync diff --from dev --to prod --output md=diff.md',
    ],
    flags: pairFlags<DiffFlags>,
    many: { flags: (flags, to) => ({ ...flags, to, env: to }), sharesLogin: true },
    run: async (run: CommandRun<DiffFlags>) => {
      const { flags, project, printOutcome } = run;
      const where = { ...pickGiven(project, 'config'), ...readEnvironmentPair(run) };
      const found = await diff({ ...where, objects: flags.words, kinds: flags.kind ?? [] }, run.host);
      run.report({ compared: found }, found);
      const isShort = flags.summary === true;
      return printOutcome(
        found,
        (texts) => (isShort ? texts.comparisonSummary : texts.comparison),
        exitCodeOfDiff(found),
      );
    },
  });
