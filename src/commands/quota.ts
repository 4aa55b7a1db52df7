import { Command } from 'commander';
import { EXIT, quota } from '../index.js';
import type { Cli } from './cli-context.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync quota`: requests of the day and who used them, from the usage log. */
export const quotaCommand = (cli: Cli): Command =>
  new Command('quota')
    .summary('how many requests are left today, and who used them')
    .description("Reads the service's usage log since the quota was last filled up: one request for 400 entries.")
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  dexsync quota --env prod')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await quota(project, host);
        await printDocument(cli, options, found, (texts) => texts.quota);
        return EXIT.done;
      });
    });
