import { Command } from 'commander';
import {
  type Diagnostic,
  EXIT,
  type Host,
  type Validated,
  type ValidatedDocument,
  validate,
} from '../library/library.js';
import type { Cli } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { logText } from './pipeline-log.js';
import { jsonDocument } from './print-document.js';
import { type ReportFlags, reportOption, textBesideReport } from './report-option.js';
import { type Running, run } from './run.js';

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
    .addArgument(environmentWord())
    .addOption(documentOption())
    .addOption(reportOption())
    .addHelpText(
      'after',
      examples(
        'dexsync validate',
        'dexsync validate --config team/sync.config.yaml --json',
        'dexsync validate --output github=- --output sarif=dexsync.sarif',
      ),
    )
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReportFlags>();
      const shown = textBesideReport(cli, options);
      const work = async (running: Running) => {
        const { found, document } = await validateAll(running);
        running.report({ validated: found }, document);
        await running.view.close();
        if (options.json === true) shown.out.write(logText(cli, jsonDocument(document), 'json'));
        else if (options.quiet === true) shown.err.write(blockedText(found));
        else shown.out.write(validatedText(found));
        return found.blocked.length === 0 ? EXIT.done : EXIT.incomplete;
      };
      await run(shown, options.json === true ? 'findings' : 'human', options, work, {
        targets: options.output,
        json: 'document',
      });
    });

/** What was found, and the document that has every diagnostic and finding, which people see as text. */
async function validateAll({ host, project }: Running): Promise<{ found: Validated; document: ValidatedDocument }> {
  const diagnostics: Diagnostic[] = [];
  const findings: ValidatedDocument['findings'][number][] = [];
  const emit: Host['emit'] = (event) => {
    if (event.type === 'diagnostic') diagnostics.push(event.diagnostic);
    if (event.type === 'findings') findings.push({ address: event.address, ...event.findings });
    host.emit(event);
  };
  const found = await validate(project, { ...host, emit });
  const { objects: _, ...counts } = found;
  const type = found.blocked.length === 0 ? 'valid' : 'blocked';
  return { found, document: { type, ...counts, findings, diagnostics } };
}

const blockedText = ({ blocked }: Validated): string =>
  blocked.map(({ address, message }) => `${address}: ${message}\n`).join('');

function validatedText(found: Validated): string {
  const { manifests, files, blocked } = found;
  const what = `${countText(manifests, 'manifest')} in ${countText(files, 'file')}`;
  if (blocked.length === 0) return `Valid: ${what}.\n`;
  return `${blockedText(found)}Valid: ${what}, but ${countText(blocked.length, 'import')} cannot be sent.\n`;
}

const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
