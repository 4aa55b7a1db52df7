import { isDeepStrictEqual } from 'node:util';
import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import { namesSeveral } from '#core/engine/wildcard.js';
import type { Variables } from '../host.js';
import type { Config, ConfiguredEnvironment } from './load-config.js';
import { readOverrides } from './override-key.js';

/** The settings of one environment, from the configuration and the variables of the process. */
export interface ChosenSettings {
  readonly name: string;
  readonly settings: ConfiguredEnvironment;
  readonly override: (key: string) => string | undefined;
  /** Absent if it is embedded. */
  readonly url?: string;
}

/**
 * The settings of the chosen environment. Needs no credentials. Throws ENVIRONMENT_NOT_CHOSEN, UNKNOWN_NAME, or
 * CONFIG_INVALID if it leads nowhere.
 */
export function findSettings(config: Config, chosen: string | undefined, variables: Variables): ChosenSettings {
  const name = decidedName(chosen, variables) ?? config.defaultEnvironment;
  if (name === undefined) {
    throw new DexsyncError(
      'ENVIRONMENT_NOT_CHOSEN',
      'No environment was chosen, and the configuration has no `defaultEnvironment`.',
      {
        hint: `Choose one with \`--env\` or DEXSYNC_ENV: ${Object.keys(config.environments).join(', ')}.`,
      },
    );
  }
  const settings = settingsNamed(name, config);
  const override = readOverrides(name, variables);
  const url = override('URL') ?? settings.url;
  if (url !== undefined) return { name, settings, override, url: fillVariables(url, variables, name) };
  if (settings.workspace !== undefined) return { name, settings, override };
  const message = `Environment "${name}" has neither a \`url\` nor \`workspace: embedded\`.`;
  throw new DexsyncError('CONFIG_INVALID', message, { hint: `Set \`environments.${name}.url\` in ${config.path}.` });
}

function settingsNamed(name: string, { environments, fleets }: Config): ConfiguredEnvironment {
  const settings = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (settings === undefined) throw unknownEnvironment(name, Object.keys(environments), fleets);
  return settings;
}

/** The additions of an environment to the common manifests. Paths are relative to the configuration. */
export interface EnvironmentLayer {
  /** Absent if no environment is chosen. */
  readonly name?: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly manifests: readonly string[];
  readonly overlay?: string;
}

/** The additions of the chosen or default environment to manifests; empty if none is chosen. Needs no credentials. */
export function chosenLayer(config: Config, chosen: string | undefined, variables: Variables): EnvironmentLayer {
  const name = decidedName(chosen, variables) ?? config.defaultEnvironment;
  if (name === undefined) return { variables: {}, manifests: [] };
  return layerOf(name, settingsNamed(name, config));
}

/** Whether two environments read the same manifests with the same values. */
export function readAlike(config: Config, one: string, other: string): boolean {
  const [first, second] = [one, other].map((name) => {
    const { name: _, ...layer } = chosenLayer(config, name, {});
    return layer;
  });
  return isDeepStrictEqual(first, second);
}

/** The additions of each environment to manifests, the default environment first. */
export const environmentLayers = ({ environments, defaultEnvironment }: Config): readonly EnvironmentLayer[] =>
  Object.entries(environments)
    .map(([name, settings]) => layerOf(name, settings))
    .sort((one, other) => Number(other.name === defaultEnvironment) - Number(one.name === defaultEnvironment));

const layerOf = (
  name: string,
  { variables = {}, manifests = [], overlay }: ConfiguredEnvironment,
): Required<Pick<EnvironmentLayer, 'name'>> & EnvironmentLayer => ({
  name,
  variables,
  manifests,
  ...omitUndefined({ overlay }),
});

/** The environment that the command line or DEXSYNC_ENV names. An empty variable counts as unset. */
export const decidedName = (chosen: string | undefined, { DEXSYNC_ENV }: Variables): string | undefined =>
  chosen ?? (DEXSYNC_ENV || undefined);

/** Fills in `${env.NAME}`. An unset variable is an error: otherwise an empty login would be sent. */
export const fillVariables = (text: string, variables: Variables, environment: string): string =>
  filledFor(`Environment "${environment}"`, text, variables, ', or choose another environment with `--env`');

/** Fills in `${env.NAME}`. `who`: the subject of the message if a variable is unset. Throws CREDENTIALS_MISSING. */
export const filledFor = (who: string, text: string, variables: Variables, otherwise = ''): string =>
  text.replaceAll(/\$\{env\.(\w+)\}/g, (_, variable: string) => {
    const value = variables[variable];
    if (value !== undefined && value !== '') return value;
    throw new DexsyncError(
      'CREDENTIALS_MISSING',
      `${who} needs the environment variable ${variable}, which is not set.`,
      { hint: `Set ${variable}${otherwise}.` },
    );
  });

/** No environment has a name. */
export function unknownEnvironment(name: string, all: readonly string[], fleets: object = {}): DexsyncError {
  const isFleet = Object.hasOwn(fleets, name);
  const ofFleet = isFleet
    ? `It is a fleet, which has commands of its own, such as \`dexsync fleet plan ${name}\`.`
    : undefined;
  const hint = ofFleet ?? hintFor(name) ?? nearestHint(name, all) ?? '`dexsync env list` lists the environments.';
  return new DexsyncError('UNKNOWN_NAME', `The configuration has no environment "${name}".`, { hint });
}

function hintFor(name: string): string | undefined {
  if (namesSeveral(name))
    return 'This command works in one environment; plan, drift, diff, status and validate take patterns.';
  if (name.includes('://')) return 'Add the URL as an environment in sync.config.yaml, and give its name.';
  return /[/\\]|\.ya?ml$/.test(name) ? `\`-f ${shellWord(name)}\` gives files and folders with manifests.` : undefined;
}
