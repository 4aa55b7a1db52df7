import { type Command, createOption, type Option } from 'commander';
import { type DriftOptions, drift } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { exitCodeOfDrift } from './exit-codes.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { inEnvironment } from './many-environments.js';
import { pickGiven } from './option-values.js';
import { summaryOption } from './quiet-option.js';
import { type ReportFlags, reportOption } from './report-option.js';

type DriftFlags = ReportFlags & Pick<DriftOptions, 'data'> & { readonly children?: boolean };

/** `dexsync drift`: changes made outside dexsync. Sends no write; exit 2 if there are any, 4 if reading rows failed. */
export const driftCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'drift',
    summary: 'show what changed in the workspace since the last apply',
    description:
      'Shows, field by field, what was changed in the workspace since the last apply, and by whom and when if the service ' +
      'reports it, also of fields that no manifest names. Changes that the manifests ask for are not drift. Read-only. ' +
      'Exits with 2 if anything drifted, and with 4 if rows could not be read.',
    arguments: [environmentWord()],
    many: { flags: inEnvironment },
    shared: [addManifestOptions],
    options: [
      createOption(
        '--data [how]',
        'compare the rows that imports committed last, too: auto (if it takes few requests), or full',
      )
        .choices(['auto', 'full'])
        .preset('auto'),
      childrenOption(),
      documentOption(),
      summaryOption(),
      reportOption(),
    ],
    examples: [
      'dexsync drift prod',
      `dexsync drift --where 'labels.region == "EU"'`,
      'dexsync drift --summary',
      'dexsync drift --children',
      'dexsync drift --data',
      'dexsync drift --json | jq .objects',
      'dexsync drift --output md=drift.md --output sarif=drift.sarif',
    ],
    run: async ({ flags, host, project, report, printOutcome }: CommandRun<DriftFlags>) => {
      const children = flags.children === true ? { children: 'all' as const } : {};
      const found = await drift({ ...project, ...pickGiven(flags, 'data'), ...children }, host);
      report({ drift: found }, found);
      const text = flags.summary === true ? 'driftSummary' : 'drift';
      return printOutcome(found, (texts) => texts[text], exitCodeOfDrift(found));
    },
  });

const childrenOption = (): Option =>
  createOption(
    '--children',
    'compare all lists of members, triggers, addresses and the like, too; a request for each list',
  );
