import type { Command } from 'commander';
import { quota } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';

/** `dexsync quota`: requests of the day and who used them, from the usage log. */
export const quotaCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'quota',
    summary: 'show how many requests are left today, and who used them',
    description: "Reads the service's usage log since the quota was last reset: one request per 400 entries.",
    arguments: [environmentWord()],
    options: [documentOption()],
    examples: ['dexsync quota --env prod'],
    run: async ({ host, project, print }) => print(await quota(project, host), (texts) => texts.quota),
  });
