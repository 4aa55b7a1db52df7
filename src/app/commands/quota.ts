import { Command } from 'commander';
import { EXIT, quota } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync quota`: requests of the day and who used them, from the usage log. */
export const quotaCommand = (cli: Cli): Command =>
  new Command('quota')
    .summary('show how many requests are left today, and who used them')
    .description("Reads the service's usage log since the quota was last reset: one request per 400 entries.")
    .addArgument(environmentWord())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync quota --env prod'))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await quota(project, host);
        await printDocument(cli, options, found, (texts) => texts.quota);
        return EXIT.done;
      });
    });
