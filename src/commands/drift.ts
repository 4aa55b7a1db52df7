import { Command } from 'commander';
import { drift, EXIT } from '../index.js';
import type { Cli } from './cli-context.js';
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
        'reports it. Changes that the manifests ask for are not drift. Read-only. Exits with 2 if anything drifted.',
    )
    .addOption(documentOption())
    .addOption(summaryOption())
    .addOption(reportOption())
    .addHelpText(
      'after',
      examples(
        'dexsync drift --env prod',
        'dexsync drift --summary',
        'dexsync drift --json | jq .objects',
        'dexsync drift --output md=drift.md --output sarif=drift.sarif',
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReportFlags>();
      const shown = textBesideReport(cli, options);
      const work = async ({ host, project, report }: Running) => {
        const found = await drift(project, host);
        report({ drift: found }, found);
        await printOutcome(shown, options, found, (texts) =>
          options.summary === true ? texts.driftSummary : texts.drift,
        );
        return found.objects.length > 0 ? EXIT.differences : EXIT.done;
      };
      await run(shown, 'findings', options, work, { targets: options.output, json: 'document' });
    });
