import { DexsyncError } from '../errors.js';
import { nearestHint } from '../nearest.js';
import type { EnvironmentSettings } from './config-schema.js';
import type { Config } from './load-config.js';

/** The variables of the process, passed in: only cli.ts reads the real ones. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What the configuration and the variables of the process say of one environment. */
export interface ChosenSettings {
  readonly name: string;
  readonly settings: EnvironmentSettings;
  readonly override: (key: string) => string | undefined;
  /** Absent where it is embedded. */
  readonly url?: string;
}

/**
 * What the configuration says of the chosen environment. Needs no credentials. Throws ENVIRONMENT_NOT_CHOSEN, UNKNOWN_NAME,
 * or CONFIG_INVALID where it leads nowhere.
 */
export function settingsOf(config: Config, chosen: string | undefined, variables: Variables): ChosenSettings {
  const name = decidedName(chosen, variables) ?? config.defaultEnvironment;
  const all = Object.keys(config.environments);
  if (name === undefined) {
    throw new DexsyncError(
      'ENVIRONMENT_NOT_CHOSEN',
      'No environment was chosen, and the configuration has no `defaultEnvironment`.',
      {
        hint: `Choose one with \`--env\` or DEXSYNC_ENV: ${all.join(', ')}.`,
      },
    );
  }
  const settings = Object.hasOwn(config.environments, name) ? config.environments[name] : undefined;
  if (settings === undefined) throw unknownEnvironment(name, all);
  const override = (key: string): string | undefined => variables[`DEXSYNC_${envKey(name)}_${key}`];
  const url = override('URL') ?? settings.url;
  if (url !== undefined) return { name, settings, override, url: fillVariables(url, variables, name) };
  if (settings.workspace !== undefined) return { name, settings, override };
  const message = `Environment "${name}" has neither a \`url\` nor \`workspace: embedded\`.`;
  throw new DexsyncError('CONFIG_INVALID', message, { hint: `Set \`environments.${name}.url\` in ${config.path}.` });
}

/** What the chosen or default environment gives to manifests; nothing where none is chosen. Needs no credentials. */
export function environmentVariables(
  config: Config,
  chosen: string | undefined,
  variables: Variables,
): Readonly<Record<string, unknown>> {
  const name = decidedName(chosen, variables) ?? config.defaultEnvironment;
  if (name === undefined) return {};
  const settings = config.environments[name];
  if (settings === undefined) throw unknownEnvironment(name, Object.keys(config.environments));
  return settings.variables ?? {};
}

/** The environment that the command line or DEXSYNC_ENV names. A variable that is set to nothing is not set. */
export const decidedName = (chosen: string | undefined, { DEXSYNC_ENV }: Variables): string | undefined =>
  chosen ?? (DEXSYNC_ENV || undefined);

/** An environment as DEXSYNC_..._URL and its like write it. */
export const envKey = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');

/** `${env.NAME}` filled in. An unset variable is an error: an empty login would be sent otherwise. */
export function fillVariables(text: string, variables: Variables, environment: string): string {
  return text.replaceAll(/\$\{env\.(\w+)\}/g, (_, variable: string) => {
    const value = variables[variable];
    if (value !== undefined && value !== '') return value;
    throw new DexsyncError(
      'CREDENTIALS_MISSING',
      `Environment "${environment}" needs the environment variable ${variable}, which is not set.`,
      {
        hint: `Set ${variable}, or choose another environment with \`--env\`.`,
      },
    );
  });
}

function unknownEnvironment(name: string, all: readonly string[]): DexsyncError {
  const hint = name.includes('://')
    ? 'Add the URL as an environment in sync.config.yaml, and give its name.'
    : nearestHint(name, all);
  return new DexsyncError('UNKNOWN_NAME', `The configuration has no environment "${name}".`, { hint });
}
