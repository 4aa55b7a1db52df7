import { isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DexsyncError } from '#base/errors.js';
import type { Variables } from '../host.js';
import type { LedgerSection } from './config-schema.js';
import { dataFolder } from './environment.js';
import { fillVariables, findSettings } from './environment-settings.js';
import type { Config } from './load-config.js';

/** The place of an environment's ledger and locks. */
export type LedgerSettings =
  | { readonly is: 'file'; readonly folder: string }
  | { readonly is: 'git'; readonly remote: string; readonly branch: string }
  | { readonly is: 'postgres'; readonly url: string };

/** The ledger of an environment. Throws CONFIG_INVALID, and CREDENTIALS_MISSING if a variable is unset. */
export function ledgerSettings(config: Config, chosen: string | undefined, variables: Variables): LedgerSettings {
  const { name, settings, override, url } = findSettings(config, chosen, variables);
  // The data of an embedded workspace belongs to this folder only.
  const common = url === undefined ? undefined : config.ledger;
  const section = override('LEDGER') ?? settings.ledger ?? common ?? { file: {} };
  if (section === config.ledger || section === settings.ledger) refusePlainPassword(section);
  return parseLedger(section, config, (text) => fillVariables(text, variables, name));
}

/** Finds an environment whose ledger is not that of the first. Throws as `ledgerSettings` does. */
export function environmentOfOtherLedger(
  config: Config,
  [first, ...others]: readonly string[],
  variables: Variables,
): string | undefined {
  if (first === undefined) return undefined;
  const ledger = ledgerSettings(config, first, variables);
  return others.find((name) => !isDeepStrictEqual(ledgerSettings(config, name, variables), ledger));
}

/** Parses a ledger that a person gives: `file`, `file:FOLDER`, `git`, `git:REMOTE#BRANCH`, or a URL. */
export function namedLedger(text: string, config: Config, environment: string, variables: Variables): LedgerSettings {
  const fill = (part: string): string => fillVariables(part, variables, environment);
  const [, kind, rest = ''] = /^(file|git)(?::(.*))?$/.exec(text) ?? [];
  if (kind === 'file') return parseLedger({ file: rest === '' ? {} : { folder: rest } }, config, fill);
  if (kind === undefined) return parseLedger(text, config, fill);
  const [remote = '', branch = ''] = rest.split('#');
  const git = { ...(remote === '' ? {} : { remote }), ...(branch === '' ? {} : { branch }) };
  return parseLedger({ git }, config, fill);
}

function parseLedger(section: LedgerSection, config: Config, fill: (text: string) => string): LedgerSettings {
  if (typeof section === 'string') return parseText(fill(section), config);
  const { git, file } = section;
  if (git != null && file != null)
    throw new DexsyncError('CONFIG_INVALID', '`ledger` has both `git` and `file`.', { hint: 'Remove one of them.' });
  // An empty `git:` is refused: nobody must believe that a ledger is shared when it is not.
  if (git == null && file == null) throw new DexsyncError('CONFIG_INVALID', '`ledger` is empty.', { hint: FORMS });
  if (git == null) return fileIn(config, fill(file?.folder ?? ''));
  const branch = fill(git.branch ?? 'dexsync-ledger');
  if (NOT_A_BRANCH.test(branch))
    throw new DexsyncError('CONFIG_INVALID', `\`ledger.git.branch\` is not a valid branch name: "${branch}".`, {
      hint: 'Give the name without `refs/heads/`, such as `dexsync-ledger`.',
    });
  return { is: 'git', remote: fill(git.remote ?? 'origin'), branch };
}

const FORMS = 'Write `ledger: { git: {} }`, `ledger: { file: {} }` or `ledger: postgres://USER@HOST/DATABASE`.';

/** Names that git refuses, and names of references. */
const NOT_A_BRANCH = /^(refs\/|-|\/|\.)|\.\.|\/\/|\/\.|[\s~^:?*[\\\x7f]|@\{|(\.lock|\/|\.)$/;

function parseText(url: string, config: Config): LedgerSettings {
  if (url === 'file') return fileIn(config);
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new DexsyncError('CONFIG_INVALID', '`ledger` is neither a PostgreSQL URL nor a map with `git` or `file`.', {
      hint: FORMS,
    });
  // With a socket in the query, the URL has no host.
  if (isUrl(url) || isUrl(url.replace('@/', '@localhost/'))) return { is: 'postgres', url };
  throw new DexsyncError('CONFIG_INVALID', 'The URL of the PostgreSQL database in `ledger` is not valid.', {
    hint: 'Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE. Special characters in the password have to be percent-encoded, such as %40 for @.',
  });
}

function isUrl(text: string): boolean {
  try {
    const { hostname, pathname, username, password, searchParams } = new URL(text);
    for (const part of [pathname, username, password]) decodeURIComponent(part);
    return hostname !== '' || searchParams.has('host');
  } catch {
    return false;
  }
}

const fileIn = (config: Config, folder = ''): LedgerSettings => ({
  is: 'file',
  folder:
    folder === '' ? join(dataFolder(config), 'ledger') : isAbsolute(folder) ? folder : join(config.folder, folder),
});

function refusePlainPassword(section: LedgerSection): void {
  const texts = typeof section === 'string' ? [section] : [section.git?.remote ?? ''];
  if (!texts.some((text) => /:\/\/[^/@\s]*:(?!\$\{env\.\w+\}@)[^/@\s]+@|[?&]password=(?!\$\{env\.)/.test(text))) return;
  throw new DexsyncError('CONFIG_INVALID', 'The password in `ledger` is in the configuration as plain text.', {
    hint: 'Take it from a variable, such as `postgres://sync:${env.LEDGER_PASSWORD}@HOST/DATABASE`, or set PGPASSWORD. Change that password: the file may have been committed.',
  });
}
