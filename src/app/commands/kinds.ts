import { type Command, createArgument } from 'commander';
import { explain, listKinds } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { defineCommand } from './define-command.js';
import { formatOption } from './format-option.js';
import { documentOption } from './json-option.js';

/** `dexsync kinds`: what manifests can describe and refer to. */
export const kindsCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'kinds',
    summary: 'list what manifests can describe and refer to',
    description: 'Lists the kinds and jobs that manifests can describe, and the lookups that they can refer to.',
    options: [formatOption(), documentOption()],
    examples: ['dexsync kinds'],
    run: async ({ host, project, printList }) =>
      printList(
        await listKinds(project, host),
        (texts) => texts.kinds,
        (all) => all.map(({ name }) => name),
      ),
  });

/** `dexsync explain`: a kind or a field, from its schema. */
export const explainCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'explain',
    summary: 'explain a kind or a field',
    description: 'Explains a kind or one of its fields: type, values, default, and what it does.',
    arguments: [createArgument('<kind[.field]>', 'kind, or kind and field, such as ImportDefinition.options.mapping')],
    options: [documentOption()],
    examples: ['dexsync explain UserGroup', 'dexsync explain Import.source'],
    run: async ({ host, project, print }, topic: string) =>
      print(await explain({ ...project, topic }, host), (texts) => texts.explanation),
  });
