import { Command, Option } from 'commander';
import { type DriftOptions, drift, EXIT } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { printOutcome } from './print-document.js';
import { summaryOption } from './quiet-option.js';
import { type ReportFlags, reportOption, textBesideReport } from './report-option.js';
import { type Running, run } from './run.js';

/** `dexsync drift`: what was changed outside. Sends no write; exit 2 where something was. */
export const driftCommand = (cli: Cli): Command =>
  addManifestOptions(new Command('drift'))
    .summary('show what changed in the workspace since the last apply')
    .description(
      'Shows, field by field, what was changed in the workspace since the last apply, and by whom and when if the service ' +
        'reports it, also of fields that no manifest names. Changes that the manifests ask for are not drift. Read-only. ' +
        'Exits with 2 if anything drifted.',
    )
    .addArgument(environmentWord())
    .addOption(
      new Option(
        '--data [how]',
        'compare the rows that imports committed last, too: auto (if it takes few requests), or full',
      )
        .choices(['auto', 'full'])
        .preset('auto'),
    )
    .option('--children', 'compare all lists of members, administrators and triggers, too; a request for each list')
    .addOption(documentOption())
    .addOption(summaryOption())
    .addOption(reportOption())
    .addHelpText(
      'after',
      examples(
        'dexsync drift prod',
        'dexsync drift --summary',
        'dexsync drift --children',
        'dexsync drift --data',
        'dexsync drift --json | jq .objects',
        'dexsync drift --output md=drift.md --output sarif=drift.sarif',
      ),
    )
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        ReportFlags & Pick<DriftOptions, 'data'> & { readonly children?: boolean }
      >();
      const shown = textBesideReport(cli, options);
      const work = async ({ host, project, report }: Running) => {
        const { data, children } = options;
        const asked = {
          ...(data === undefined ? {} : { data }),
          ...(children === true ? { children: 'all' as const } : {}),
        };
        const found = await drift({ ...project, ...asked }, host);
        report({ drift: found }, found);
        await printOutcome(shown, options, found, (texts) =>
          options.summary === true ? texts.driftSummary : texts.drift,
        );
        const drifted = found.objects.length + (found.imports ?? []).filter(({ changes }) => changes.length > 0).length;
        return drifted > 0 ? EXIT.differences : EXIT.done;
      };
      await run(shown, 'findings', options, work, { targets: options.output, json: 'document' });
    });
