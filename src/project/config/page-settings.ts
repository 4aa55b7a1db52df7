import { resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { isThisMachine } from '#service/this-machine.js';
import type { Host } from '../host.js';
import { filledFor } from './environment-settings.js';
import type { LoadedConfig } from './load-config.js';
import type { PageSection } from './page-schema.js';
import { printedBy } from './password.js';

/** The page for a team: where people open it, and how they log in. */
export interface PageSettings {
  readonly url: URL;
  readonly login: LoginSettings;
  /** The file of the key that signs clicked verdicts. */
  readonly reviewKey?: string;
}

/** A login by OpenID Connect. */
export interface LoginSettings
  extends Pick<PageSection['login'], 'clientId' | 'clientAuthentication' | 'scope' | 'roles'> {
  readonly issuer: URL;
  readonly clientSecret?: string;
}

/**
 * The page of a configuration, with variables filled in; undefined if it has none. What is secret is known as such afterwards.
 * Throws CONFIG_INVALID, URL_NOT_SECURE and CREDENTIALS_MISSING.
 */
export async function pageSettings(
  { page, folder }: Pick<LoadedConfig, 'page' | 'folder'>,
  host: Pick<Host, 'variables' | 'secrets' | 'signal' | 'emit'>,
): Promise<PageSettings | undefined> {
  if (page === undefined || page === null) return undefined;
  const { url, login, reviewKey } = page as PageSection;
  const { clientId, clientAuthentication, scope, roles } = login;
  const at = urlIn('page.url', url, host);
  if (at.pathname !== '/' || at.search !== '' || at.hash !== '')
    throw new DexsyncError('CONFIG_INVALID', `\`page.url\` has a path: ${at}`, {
      hint: `The page needs a host name of its own, such as ${at.origin}.`,
    });
  const clientSecret = await secretOf(login, host);
  host.secrets.add(clientSecret);
  return {
    url: at,
    ...(reviewKey === undefined ? {} : { reviewKey: resolve(folder, reviewKey) }),
    login: {
      ...{
        issuer: urlIn('page.login.issuer', login.issuer, host),
        clientId: filled('page.login.clientId', clientId, host),
      },
      ...omitUndefined({ clientSecret, clientAuthentication, scope }),
      roles,
    },
  };
}

const filled = (setting: string, text: string, { variables }: Pick<Host, 'variables'>): string =>
  filledFor(`\`${setting}\``, text, variables);

function urlIn(setting: string, text: string, host: Pick<Host, 'variables'>): URL {
  const written = filled(setting, text, host);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new DexsyncError('CONFIG_INVALID', `\`${setting}\` is not a URL without a user.`, {
      hint: 'Write it in full, such as https://login.example.com/realms/plm.',
    });
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    throw new DexsyncError('URL_NOT_SECURE', `\`${setting}\` would be used without encryption: ${url}`, {
      hint: 'Use https; plain http is allowed for this machine only.',
    });
  return url;
}

async function secretOf(
  { clientSecret, clientSecretCommand: command }: PageSection['login'],
  host: Pick<Host, 'variables' | 'signal' | 'emit'>,
): Promise<string | undefined> {
  if (command !== undefined)
    return printedBy(
      { command, name: '`page.login.clientSecretCommand`' },
      { signal: host.signal, onWait: (seconds) => host.emit({ type: 'waiting', seconds, because: 'password' }) },
    );
  if (clientSecret === undefined) return undefined;
  if (/^\$\{env\.\w+\}$/.test(clientSecret)) return filled('page.login.clientSecret', clientSecret, host);
  throw new DexsyncError('CONFIG_INVALID', '`page.login.clientSecret` is in the configuration as plain text.', {
    hint: 'Write `clientSecret: "${env.PAGE_SECRET}"`, or use `clientSecretCommand`. Change that secret: the file may have been committed.',
  });
}
