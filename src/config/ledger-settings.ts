import { isAbsolute, join } from 'node:path';
import { DexsyncError } from '../errors.js';
import type { LedgerSection } from './config-schema.js';
import { dataFolder } from './environment.js';
import { fillVariables, settingsOf, type Variables } from './environment-settings.js';
import type { Config } from './load-config.js';

/** Where an environment's ledger and locks are kept. */
export type LedgerSettings =
  | { readonly is: 'file'; readonly folder: string }
  | { readonly is: 'git'; readonly remote: string; readonly branch: string }
  | { readonly is: 'postgres'; readonly url: string };

/** Throws CONFIG_INVALID, and CREDENTIALS_MISSING where a variable is not set. */
export function ledgerSettings(config: Config, chosen: string | undefined, variables: Variables): LedgerSettings {
  const { name, settings, override, url } = settingsOf(config, chosen, variables);
  // The data of an embedded workspace are of this folder alone.
  const common = url === undefined ? undefined : config.ledger;
  const section = override('LEDGER') ?? settings.ledger ?? common ?? {};
  if (section === config.ledger || section === settings.ledger) refusePlainPassword(section);
  return parseLedger(section, config, (text) => fillVariables(text, variables, name));
}

/** The same of a text that a person gives: `file`, `file:FOLDER`, `git`, `git:REMOTE#BRANCH`, or a URL. */
export function namedLedger(text: string, config: Config): LedgerSettings {
  const [, kind, rest = ''] = /^(file|git)(?::(.*))?$/.exec(text) ?? [];
  if (kind === 'file') return parseLedger({ file: rest === '' ? {} : { folder: rest } }, config);
  const [remote = '', branch = ''] = rest.split('#');
  if (kind === 'git')
    return parseLedger({ git: { ...(remote === '' ? {} : { remote }), ...(branch === '' ? {} : { branch }) } }, config);
  return parseLedger(text, config);
}

function parseLedger(
  section: LedgerSection,
  config: Config,
  fill: (text: string) => string = (text) => text,
): LedgerSettings {
  if (typeof section === 'string') {
    const url = fill(section);
    if (url === 'file') return fileIn(config);
    if (/^postgres(ql)?:\/\//.test(url)) return { is: 'postgres', url };
    throw new DexsyncError('CONFIG_INVALID', '`ledger` is neither a PostgreSQL URL nor a map with `git` or `file`.', {
      hint: 'Write `ledger: postgres://USER@HOST/DATABASE`, `ledger: { git: {} }` or `ledger: { file: {} }`.',
    });
  }
  const { git, file } = section;
  if (git != null && file != null)
    throw new DexsyncError('CONFIG_INVALID', '`ledger` has both `git` and `file`.', { hint: 'Remove one of them.' });
  if (git == null) return fileIn(config, fill(file?.folder ?? ''));
  return { is: 'git', remote: fill(git.remote ?? 'origin'), branch: fill(git.branch ?? 'dexsync-ledger') };
}

const fileIn = (config: Config, folder = ''): LedgerSettings => ({
  is: 'file',
  folder:
    folder === '' ? join(dataFolder(config), 'ledger') : isAbsolute(folder) ? folder : join(config.folder, folder),
});

function refusePlainPassword(section: LedgerSection): void {
  const texts = typeof section === 'string' ? [section] : [section.git?.remote ?? ''];
  if (!texts.some((text) => /:\/\/[^/@\s]*:(?!\$\{env\.\w+\}@)[^/@\s]+@/.test(text))) return;
  throw new DexsyncError('CONFIG_INVALID', 'The password in `ledger` is in the configuration as plain text.', {
    hint: 'Take it from a variable, such as `postgres://sync:${env.LEDGER_PASSWORD}@HOST/DATABASE`, or set PGPASSWORD. Change that password: the file may have been committed.',
  });
}
