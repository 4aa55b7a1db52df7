import { type Command, createOption } from 'commander';
import { statusMarkdown, statusPage } from '../library/internal.js';
import { EXIT, status } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';
import { whereOption } from './many-environments.js';
import { pickGiven } from './option-values.js';
import { logText } from './pipeline-log.js';

interface StatusFlags extends GlobalOptions {
  readonly live?: boolean;
  readonly where?: string;
  readonly md?: boolean;
  readonly html?: boolean;
  readonly exitCode?: boolean;
}

/** `dexsync status`: what the ledger knows of all environments. */
export const statusCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'status',
    summary: 'show what the ledger knows of all environments',
    description:
      'Shows for each environment the release that was promoted last and how many newer ones there are, what people ' +
      'changed there and what is in conflict, the last apply, drift and quota as they were seen last, saved plans, ' +
      'imports with missing rows, and who uses it. Reads only the ledger and sends no request, unless `--live` looks for ' +
      'drift first.',
    arguments: [environmentWord()],
    options: [
      createOption('--live', 'look for drift in each environment first, as `dexsync drift` does'),
      whereOption(),
      documentOption(),
      createOption('--md', 'print a table in Markdown, such as for the summary of a pipeline').conflicts('json'),
      createOption('--html', 'print a page of HTML that makes no requests').conflicts(['json', 'md']),
      createOption(
        '--exit-code',
        'exit with 2 if something waits for a person: a release, drift, a conflict, an apply that did not end well, rows',
      ),
    ],
    examples: [
      'dexsync status',
      'dexsync status prod --exit-code',
      'dexsync status --live --exit-code',
      'dexsync status --md > status.md',
      'dexsync status --html > status.html',
      'dexsync status --json | jq ".environments[].release"',
    ],
    run: async ({ flags, host, project, print }: CommandRun<StatusFlags>) => {
      const found = await status({ ...project, ...pickGiven(flags, 'where'), live: flags.live === true }, host);
      const waits = flags.exitCode === true && found.environments.some(({ attention }) => attention);
      const code = waits ? EXIT.differences : EXIT.done;
      if (flags.md === true) cli.out.write(logText(cli, await statusMarkdown(found)));
      else if (flags.html === true) cli.out.write(await statusPage(found, host.clock().toISOString()));
      else return print(found, (texts) => texts.status, code);
      return code;
    },
  });
