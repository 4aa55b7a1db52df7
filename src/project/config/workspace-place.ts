import { basename } from 'node:path';
import { databaseOf, type Environment } from './environment.js';
import { fillVariables, settingsOf, type Variables } from './environment-settings.js';
import type { Config } from './load-config.js';

/** Where an environment leads, as far as that is known without its password. */
export interface WorkspacePlace {
  readonly environment: string;
  /** Equal as long as it leads to the same workspace; undefined where the user that decides about it is not known. */
  readonly key?: string;
  /** The database of an embedded workspace. */
  readonly database?: string;
  /** Which workspace it is, where the configuration tells. */
  readonly identity?: string;
}

/** Where the chosen environment leads, without a login. Throws as `settingsOf` does where it does not tell. */
export function findWorkspacePlace(config: Config, chosen: string | undefined, variables: Variables): WorkspacePlace {
  const { name: environment, settings, override, url } = settingsOf(config, chosen, variables);
  if (url === undefined) {
    const database = databaseOf(config, environment);
    return { environment, key: embeddedKey(database), database };
  }
  const { workspaceId } = settings.credentials ?? {};
  const email = knownLogin(config, chosen, variables);
  const id = override('WORKSPACE_ID') ?? fillKnown(workspaceId?.toString(), variables, environment);
  return {
    environment,
    ...(email === undefined ? {} : { key: remoteKey(url, email) }),
    ...(id === undefined || !URL.canParse(url) ? {} : { identity: remoteIdentity(url, id) }),
  };
}

/** The user that the chosen environment logs in as to write; undefined where it is embedded, or a variable is not set. */
export function knownLogin(config: Config, chosen: string | undefined, variables: Variables): string | undefined {
  const { name, settings, override, url } = settingsOf(config, chosen, variables);
  if (url === undefined) return undefined;
  return override('EMAIL') ?? fillKnown(settings.credentials?.email, variables, name);
}

/** The key of an environment that was reached. */
export const workspaceKey = (environment: Environment): string =>
  environment.workspace === 'embedded'
    ? embeddedKey(environment.database)
    : remoteKey(environment.url, environment.email);

const embeddedKey = (database: string): string => `embedded ${basename(database)}`;
const remoteKey = (url: string, email: string): string => `${url} ${email}`;

/** The key of the ledger of a workspace behind a url. */
export const remoteIdentity = (url: string, id: string): string => `${new URL(url).host}/${id}`;

/** What a missing variable leaves open is no error before somebody logs in. */
function fillKnown(text: string | undefined, variables: Variables, environment: string): string | undefined {
  try {
    return text === undefined ? undefined : fillVariables(text, variables, environment);
  } catch {
    return undefined;
  }
}
