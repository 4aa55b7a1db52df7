import type { Argument, Command, Option } from 'commander';
import { fullName } from '../usage-error.js';

/** Where the values of an option or argument come from. */
export type ValueSource =
  | { readonly is: 'words'; readonly words: readonly string[]; readonly open?: boolean }
  | { readonly is: 'files' | 'folders' | 'reports' | 'environments' | 'plans' | 'saved plans' | 'nothing' }
  | { readonly is: 'kinds' | 'managed kinds' | 'fields' | 'addresses' | 'patterns' }
  /** Names of the manifests of a kind; by default, of the kind in the first argument. */
  | { readonly is: 'names'; readonly kind?: string };

/** Sources by the name of the value in the help, if needed after the option or command. */
const SOURCES: Readonly<Record<string, ValueSource>> = {
  address: { is: 'addresses' },
  environment: { is: 'environments' },
  file: { is: 'files' },
  folder: { is: 'folders' },
  from: { is: 'environments' },
  'format=file': { is: 'reports' },
  integration: { is: 'names', kind: 'OutboundIntegration' },
  kind: { is: 'kinds' },
  'kind[.field]': { is: 'fields' },
  'method-or-path': { is: 'words', words: ['GET', 'POST', 'PUT', 'DELETE'] },
  path: { is: 'files' },
  pattern: { is: 'patterns' },
  plan: { is: 'saved plans' },
  run: { is: 'names', kind: 'Import' },
  to: { is: 'environments' },
  '--as-reviewed plan': { is: 'plans' },
  '--category path': { is: 'nothing' },
  '--definition name': { is: 'names', kind: 'ImportDefinition' },
  '--dialect name': { is: 'words', words: ['reference', 'arena'] },
  '--env name': { is: 'environments' },
  '--from place': { is: 'words', words: ['file', 'git'] },
  '--manifest name': { is: 'names', kind: 'Import' },
  '--out file': { is: 'plans' },
  'dexsync api path': { is: 'nothing' },
  'dexsync apply file': { is: 'plans' },
  'dexsync exports run name': { is: 'names', kind: 'ExportDefinition' },
  'dexsync extracts run name': { is: 'names', kind: 'ExtractDefinition' },
  'dexsync get name': { is: 'names' },
  'dexsync orphans kind': { is: 'managed kinds' },
  'dexsync plan check file': { is: 'plans' },
  'dexsync reservations release name': { is: 'names', kind: 'NumberReservation' },
  'dexsync show file': { is: 'plans' },
};

/** Finds the source of the values of an option or argument. */
export function findValueSource(value: Argument | Option, command: Command): ValueSource {
  const { argChoices } = value;
  if (argChoices !== undefined) return { is: 'words', words: argChoices };
  const [owner, word] =
    'flags' in value ? [value.long, /[<[](.+)[>\]]$/.exec(value.flags)?.[1]] : [fullName(command), value.name()];
  const name = word?.replace(/\.\.\.$/, '') ?? '';
  return SOURCES[`${owner} ${name}`] ?? SOURCES[name] ?? { is: 'nothing' };
}

/** All keys of the table, for its test. */
export const SOURCE_WORDS: readonly string[] = Object.keys(SOURCES);
