import { Command } from 'commander';
import { type Diagnostic, EXIT, type ExitCode, type Host, type Validated, validate } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { jsonDocument } from './print-document.js';
import { run } from './run.js';

/**
 * `dexsync validate`: configuration, manifests and source files, without a workspace; exit 3 or 4 where something is
 * wrong.
 */
export const validateCommand = (cli: Cli): Command =>
  addManifestOptions(new Command('validate'))
    .summary('check configuration, manifests and source files offline')
    .description(
      'Checks sync.config.yaml and all manifests: syntax, fields, values, references and cycles. Reads the ' +
        'source files of imports. Contacts no workspace.',
    )
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync validate', 'dexsync validate --config team/sync.config.yaml --json'))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await (options.json === true ? validateForPrograms : validateForPeople)(cli, options);
    });

const validateForPeople = (cli: Cli, options: GlobalOptions): Promise<void> =>
  run(cli, 'human', options, async ({ host, project, view }) => {
    const found = await validate(project, host);
    await view.close();
    cli.out.write(validatedText(found));
    return exitCodeOf(found);
  });

/** The document has every diagnostic and finding, which people see as text. */
const validateForPrograms = (cli: Cli, options: GlobalOptions): Promise<void> =>
  run(cli, 'findings', options, async ({ host, project }) => {
    const diagnostics: Diagnostic[] = [];
    const findings: object[] = [];
    const emit: Host['emit'] = (event) => {
      if (event.type === 'diagnostic') diagnostics.push(event.diagnostic);
      if (event.type === 'findings') findings.push({ address: event.address, ...event.findings });
      host.emit(event);
    };
    const found = await validate(project, { ...host, emit });
    const type = found.blocked.length === 0 ? 'valid' : 'blocked';
    cli.out.write(jsonDocument({ type, ...found, findings, diagnostics }));
    return exitCodeOf(found);
  });

const exitCodeOf = ({ blocked }: Validated): ExitCode => (blocked.length === 0 ? EXIT.done : EXIT.incomplete);

function validatedText({ manifests, files, blocked }: Validated): string {
  const what = `${countText(manifests, 'manifest')} in ${countText(files, 'file')}`;
  if (blocked.length === 0) return `Valid: ${what}.\n`;
  const each = blocked.map(({ address, message }) => `${address}: ${message}\n`).join('');
  return `${each}Valid: ${what}, but ${countText(blocked.length, 'import')} cannot be sent.\n`;
}

const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
