import type { Command } from 'commander';
import { EXIT, render, renderedYaml } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { logText, logYaml } from './pipeline-log.js';
import { addSelectionOptions, pickSelection, type SelectionFlags } from './planning-flags.js';
import { jsonDocument } from './print-document.js';

/** `dexsync render`: the manifests of one environment as a plan starts from them; exit 3 if something is wrong. */
export const renderCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'render',
    summary: 'print manifests with variables and overlay',
    description:
      'Prints the manifests as a plan would start from them: variables filled in, `forEach` written out, and the overlay of the ' +
      'environment merged. Contacts no workspace.',
    arguments: [environmentWord()],
    shared: [addManifestOptions, addSelectionOptions],
    options: [documentOption()],
    examples: [
      'dexsync render --env prod',
      'dexsync render --env prod --only UserGroup',
      'diff <(dexsync render --env dev) <(dexsync render --env prod)',
    ],
    run: async ({ flags, host, project }: CommandRun<GlobalOptions & SelectionFlags>) => {
      const manifests = await render({ ...project, ...pickSelection(flags) }, host);
      if (flags.json === true) cli.out.write(logText(cli, jsonDocument(manifests), 'json'));
      else cli.out.write(await logYaml(cli, await renderedYaml(manifests)));
      return EXIT.done;
    },
  });
