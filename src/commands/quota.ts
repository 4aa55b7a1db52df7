import { Command } from 'commander';
import { EXIT, quota, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { run } from './run.js';

interface Options extends GlobalOptions {
  readonly json?: boolean;
}

export const quotaCommand = (cli: Cli): Command =>
  new Command('quota')
    .summary('how many requests are left today, and who used them')
    .description("Reads the service's usage log since the quota was last filled up: one request for 400 entries.")
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  dexsync quota --env prod')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await quota(project, host);
        const text = await texts(cli.color, cli.width);
        cli.out.write(options.json === true ? jsonDocument(found) : text.quota(found));
        return EXIT.done;
      });
    });
