import { Command } from 'commander';
import { diff, EXIT, type ExitCode } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { addPairOptions, type PairFlags, pairOf, pairOptions } from './environment-pair.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { collectTexts } from './option-values.js';
import { printOutcome } from './print-document.js';
import { summaryOption } from './quiet-option.js';
import { type ReportFlags, reportOption, textBesideReport } from './report-option.js';
import { type Running, run } from './run.js';

interface DiffFlags extends ReportFlags, PairFlags {
  readonly kind?: readonly string[];
}

/** `dexsync diff`: two live workspaces side by side. Sends no write; exit 2 where they differ. */
export const diffCommand = (cli: Cli): Command =>
  addPairOptions(new Command('diff'), 'environment that is compared with it')
    .summary('compare two live workspaces')
    .description(
      'Compares the objects of two workspaces by kind and name, field by field; references are compared by name, never by ' +
        'GUID. Reads no manifests. Read-only. Exits with 2 if anything differs, with 4 if nothing differs but something cannot be compared.',
    )
    .argument('[pattern...]', 'only these objects: KIND or KIND/NAME; * matches any text, ? one character')
    .option('--kind <kind>', 'only objects of this kind; can be repeated', collectTexts)
    .addOption(documentOption())
    .addOption(summaryOption())
    .addOption(reportOption())
    .addHelpText(
      'after',
      examples(
        'dexsync diff dev prod',
        "dexsync diff --from dev --to prod 'ImportDefinition/ERP*' UserGroup",
        'dexsync diff --from dev --to prod --kind Policy --summary',
        'dexsync diff --from dev --to prod --json | jq .objects',
        'dexsync diff --from dev --to prod --output md=diff.md',
      ),
    )
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const { words: objects, reported, ...options } = pairOptions<DiffFlags>(command);
      const shown = textBesideReport(cli, options);
      const work = async ({ host, project, report }: Running): Promise<ExitCode> => {
        const { config } = project;
        const where = { ...(config === undefined ? {} : { config }), ...pairOf(options, command) };
        const found = await diff({ ...where, objects, kinds: options.kind ?? [] }, host);
        report({ compared: found }, found);
        await printOutcome(shown, options, found, (texts) =>
          options.summary === true ? texts.comparisonSummary : texts.comparison,
        );
        return exitCodeOf(found);
      };
      await run(shown, 'findings', reported, work, { targets: options.output, json: 'document' });
    });

/** What could not be compared is no equality. */
function exitCodeOf({ objects }: Awaited<ReturnType<typeof diff>>): ExitCode {
  if (objects.some(({ what }) => what !== 'unclear')) return EXIT.differences;
  return objects.length > 0 ? EXIT.incomplete : EXIT.done;
}
