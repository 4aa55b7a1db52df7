import { Command } from 'commander';
import { EXIT, type RenderOptions, render, renderedYaml } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { logText, logYaml } from './pipeline-log.js';
import { addSelectionOptions, type SelectionFlags, selectionOf } from './planning-flags.js';
import { type DocumentFlags, jsonDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync render`: the manifests of one environment as they are planned with; exit 3 where something is wrong. */
export const renderCommand = (cli: Cli): Command =>
  addSelectionOptions(addManifestOptions(new Command('render')))
    .summary('print manifests with variables and overlay')
    .description(
      'Prints the manifests as a plan would start from them: variables filled in, `forEach` written out, and the overlay of the ' +
        'environment merged. Contacts no workspace.',
    )
    .addArgument(environmentWord())
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples(
        'dexsync render --env prod',
        'dexsync render --env prod --only UserGroup',
        'diff <(dexsync render --env dev) <(dexsync render --env prod)',
      ),
    )
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags & SelectionFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const asked: RenderOptions = { ...project, ...selectionOf(options) };
        const manifests = await render(asked, host);
        cli.out.write(
          options.json === true
            ? logText(cli, jsonDocument(manifests), 'json')
            : await logYaml(cli, await renderedYaml(manifests)),
        );
        return EXIT.done;
      });
    });
