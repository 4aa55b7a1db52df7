import type { Command } from 'commander';
import { status } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';

/** `dexsync status`: what the ledger knows of all environments; no request is sent. */
export const statusCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'status',
    summary: 'show what the ledger knows of all environments',
    description:
      'Shows for each environment the release that was promoted last and how many newer ones there are, what people ' +
      'changed there and what is in conflict, the last apply, saved plans, imports with missing rows, and who uses it. ' +
      'Reads only the ledger and sends no request; `dexsync drift` looks at a workspace.',
    arguments: [environmentWord()],
    options: [documentOption()],
    examples: ['dexsync status', 'dexsync status prod', 'dexsync status --json | jq ".environments[].release"'],
    run: async ({ host, project, print }) => print(await status(project, host), (texts) => texts.status),
  });
