import type { Command } from 'commander';
import {
  type Diagnostic,
  EXIT,
  type Host,
  type Validated,
  type ValidatedDocument,
  validate,
} from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { inEnvironment } from './many-environments.js';
import { logText } from './pipeline-log.js';
import { jsonDocument } from './print-document.js';
import { reportOption } from './report-option.js';

/** `dexsync validate`: checks configuration, manifests and source files offline; exit 3 or 4 if something is wrong. */
export const validateCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'validate',
    summary: 'check configuration, manifests and source files offline',
    description:
      'Checks sync.config.yaml and all manifests: syntax, fields, values, references and cycles. Reads the ' +
      'source files of imports. Contacts no workspace.',
    arguments: [environmentWord()],
    many: { flags: inEnvironment },
    shared: [addManifestOptions],
    options: [documentOption(), reportOption()],
    examples: [
      'dexsync validate',
      'dexsync validate --config team/sync.config.yaml --json',
      'dexsync validate --output github=- --output sarif=dexsync.sarif',
    ],
    view: ({ json }) => (json === true ? 'findings' : 'human'),
    run: async (run) => {
      const { cli: shown, flags, view } = run;
      const { found, document } = await validateAll(run);
      run.report({ validated: found }, document);
      await view.close();
      if (flags.json === true) shown.out.write(logText(shown, jsonDocument(document), 'json'));
      else if (flags.quiet === true) shown.err.write(blockedText(found));
      else shown.out.write(validatedText(found));
      return found.blocked.length === 0 ? EXIT.done : EXIT.incomplete;
    },
  });

/** Validates, and collects the diagnostics and findings, which people see as text, for the document of `--json`. */
async function validateAll({ host, project }: CommandRun): Promise<{ found: Validated; document: ValidatedDocument }> {
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
