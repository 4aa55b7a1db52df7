import { basename } from 'node:path';
import type { Variables } from '../host.js';
import { databasePath, type Environment } from './environment.js';
import { fillVariables, findSettings } from './environment-settings.js';
import type { Config } from './load-config.js';

/** The workspace of an environment, as far as it is known without a password. */
export interface WorkspacePlace {
  readonly environment: string;
  /** Equal while it leads to the same workspace; undefined if the user that decides about it is unknown. */
  readonly key?: string;
  /** The database of an embedded workspace. */
  readonly database?: string;
  /** The identity of the workspace, if the configuration has it. */
  readonly identity?: string;
}

/** Finds the workspace of the chosen environment, without a login. Throws like `findSettings`. */
export function findWorkspacePlace(config: Config, chosen: string | undefined, variables: Variables): WorkspacePlace {
  const { name: environment, settings, override, url } = findSettings(config, chosen, variables);
  if (url === undefined) {
    const database = databasePath(config, environment);
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

/** The login of the chosen environment for writing; undefined if it is embedded or a variable is unset. */
export function knownLogin(config: Config, chosen: string | undefined, variables: Variables): string | undefined {
  const { name, settings, override, url } = findSettings(config, chosen, variables);
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

/** Fills in variables; undefined if one is missing, which is not an error before a login. */
function fillKnown(text: string | undefined, variables: Variables, environment: string): string | undefined {
  try {
    return text === undefined ? undefined : fillVariables(text, variables, environment);
  } catch {
    return undefined;
  }
}
