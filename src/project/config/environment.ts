import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Variables } from '../host.js';
import type { EnvironmentSettings } from './config-schema.js';
import { type ChosenSettings, decidedName, fillVariables, findSettings } from './environment-settings.js';
import type { EnvironmentRow } from './environment-tables.js';
import type { Config } from './load-config.js';
import { overrideKey } from './override-key.js';

/** The folders of a project and of dexsync's data. */
export type ProjectFolders = Pick<Config, 'folder' | 'data'>;

/** The folder of dexsync's data: next to the configuration, or given by the caller. */
export const dataFolder = ({ folder, data }: ProjectFolders): string => data ?? join(folder, '.dexsync');

/** A workspace with everything that a login needs. */
export type Environment = EmbeddedEnvironment | RemoteEnvironment;

interface Common {
  readonly name: string;
  /** Host and port, or the embedded database: a user can be logged in there only once at a time. */
  readonly service: string;
  readonly usageReason?: string;
  /** Daily requests that are left for others. */
  readonly keepRequests?: number;
  /** Requests that comparing the rows of imports may take. */
  readonly previewRequests?: number;
}

/** The workspace in this package, started on its database. */
export interface EmbeddedEnvironment extends Common {
  readonly workspace: 'embedded';
  readonly database: string;
  /** The dialect that it speaks. */
  readonly profile: string;
}

/** A service behind a URL. The password may still have to come from a command: see `passwordOf`. */
export interface RemoteEnvironment extends Common {
  readonly workspace: 'remote';
  readonly url: string;
  readonly profile: string;
  readonly production: boolean;
  readonly email: string;
  readonly password: ({ readonly value: string } | { readonly command: string; readonly row?: EnvironmentRow }) & {
    /** The variable or the setting that gives it, as messages name it. */
    readonly from: string;
  };
  readonly workspaceId?: string;
}

/** Whether mistakes are costly: nothing is written here without confirmation. */
export const isProduction = (environment: Environment): boolean =>
  environment.workspace === 'remote' && environment.production;

/** The purpose of a login: commands that only read may have their own credentials. */
export type LoginFor = 'read' | 'write';

/** The chosen environment with its overrides and variables filled in. */
export function resolveEnvironment(
  config: Config,
  chosen: string | undefined,
  variables: Variables,
  loginFor: LoginFor = 'write',
): Environment {
  const found = findSettings(config, chosen, variables);
  const { name, settings, override, url } = found;
  if (variables.CI !== undefined && variables.CI !== '' && decidedName(chosen, variables) === undefined)
    throw notInCi(found);
  const service = serviceOf(found);
  const common = {
    name,
    service,
    ...omitUndefined({
      usageReason: settings.usageReason,
      keepRequests: settings.keepRequests,
      previewRequests: settings.previewRequests,
    }),
  };
  if (url !== undefined) {
    const own = loginFor === 'read' ? settings.readCredentials : undefined;
    const using: UsedLogin =
      own === undefined
        ? { credentials: settings.credentials ?? {}, at: 'credentials', override }
        : { credentials: own, at: 'readCredentials', override: () => undefined };
    return toRemote({ ...common, url }, found, using, variables);
  }
  const profile = override('PROFILE') ?? settings.profile ?? 'reference';
  return { ...common, workspace: 'embedded', database: databasePath(config, name), profile };
}

/** The database of an environment's embedded workspace. */
export const databasePath = (config: Config, name: string): string => join(dataFolder(config), databaseFile(name));

/** The name and the service of the chosen environment. Needs no credentials. */
export function environmentPlace(
  config: Config,
  chosen: string | undefined,
  variables: Variables,
): Pick<Environment, 'name' | 'service' | 'workspace'> {
  const found = findSettings(config, chosen, variables);
  return { name: found.name, service: serviceOf(found), workspace: found.url === undefined ? 'embedded' : 'remote' };
}

const databaseFile = (name: string): string => `${name}.db`;

/** Keeps an invalid URL, which is refused where it is used. */
function serviceOf({ name, url }: ChosenSettings): string {
  if (url === undefined) return `embedded/${databaseFile(name)}`;
  return URL.canParse(url) ? new URL(url).host : url;
}

function notInCi({ name, url }: ChosenSettings): DexsyncError {
  const leads = url === undefined ? 'an embedded workspace' : withoutUser(url);
  const message = `CI is set and no environment was chosen; the default "${name}" is ${leads}, and a pipeline must name its environment.`;
  const hint = `Choose one with \`--env\` or DEXSYNC_ENV (\`--env ${name}\` for this one).`;
  return new DexsyncError('ENVIRONMENT_NOT_CHOSEN', message, { hint });
}

/** The host of a URL; the user and password of an invalid one cannot be separated. */
const withoutUser = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'a service');

/** The credentials of a login, their key in the configuration, and their overrides. */
interface UsedLogin {
  readonly credentials: Credentials;
  readonly at: 'credentials' | 'readCredentials';
  readonly override: (key: string) => string | undefined;
}

function toRemote(
  common: Common & { url: string },
  found: ChosenSettings,
  using: UsedLogin,
  variables: Variables,
): RemoteEnvironment {
  const { name } = common;
  const { settings, override } = found;
  const fill = (text: string | number | undefined): string | undefined =>
    text === undefined ? undefined : fillVariables(text.toString(), variables, name);
  const email = using.override('EMAIL') ?? fill(using.credentials.email);
  // Logins for reading use the same workspace.
  const workspaceId =
    override('WORKSPACE_ID') ?? fill(using.credentials.workspaceId ?? settings.credentials?.workspaceId);
  if (email === undefined) throw missingCredential(name, 'EMAIL', 'email', using.at);
  if (using.at === 'readCredentials' && workspaceId === undefined) throw undecidedWorkspace(name);
  return {
    ...common,
    workspace: 'remote',
    profile: override('PROFILE') ?? settings.profile ?? 'reference',
    production: settings.production ?? false,
    email,
    password: passwordSource(found, using, variables),
    ...omitUndefined({ workspaceId }),
  };
}

const undecidedWorkspace = (name: string): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `Environment "${name}" has \`readCredentials\`, but no \`workspaceId\`.`, {
    hint: `Set \`environments.${name}.credentials.workspaceId\`: two users may log in to different workspaces.`,
  });

type Credentials = NonNullable<EnvironmentSettings['credentials']>;

function passwordSource(
  { name, settings: { row } }: ChosenSettings,
  { credentials: { password, passwordCommand }, at, override }: UsedLogin,
  variables: Variables,
): RemoteEnvironment['password'] {
  const overriding = override('PASSWORD');
  if (overriding !== undefined)
    return { value: overriding, from: `the variable DEXSYNC_${overrideKey(name)}_PASSWORD` };
  if (passwordCommand !== undefined) {
    return {
      command: passwordCommand,
      ...omitUndefined({ row }),
      from: `\`environments.${name}.${at}.passwordCommand\``,
    };
  }
  if (password === undefined) throw missingCredential(name, 'PASSWORD', 'passwordCommand', at);
  const [, variable] = /^\$\{env\.(\w+)\}$/.exec(password) ?? [];
  if (variable === undefined) {
    throw new DexsyncError(
      'CONFIG_INVALID',
      `The password of environment "${name}" is in the configuration as plain text.`,
      {
        hint: `Write \`password: "\${env.PLM_PASSWORD}"\`, or use \`passwordCommand\`. Change that password: the file may have been committed.`,
      },
    );
  }
  return { value: fillVariables(password, variables, name), from: `the variable ${variable}` };
}

function missingCredential(name: string, key: string, field: string, at: UsedLogin['at']): DexsyncError {
  const place = `\`environments.${name}.${at}.${field}\` in the configuration`;
  return new DexsyncError('CREDENTIALS_MISSING', `Environment "${name}" has no ${key.toLowerCase()} in \`${at}\`.`, {
    hint: at === 'credentials' ? `Set DEXSYNC_${overrideKey(name)}_${key}, or ${place}.` : `Set ${place}.`,
  });
}
