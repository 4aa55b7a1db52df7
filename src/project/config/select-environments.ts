import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { isPattern, matchesPattern } from '#core/engine/wildcard.js';
import type { Rule } from '#core/model/rule.js';
import { unknownEnvironment } from './environment-settings.js';
import type { FleetSettings } from './fleet-schema.js';
import type { Config } from './load-config.js';

/** Which environments are meant. Without a text or a rule it excludes none. */
export interface EnvironmentSelection {
  /** Names and patterns with `*` and `?`, separated by commas. */
  readonly names?: string | undefined;
  /** A condition in CEL over name, labels, variables and production. */
  readonly where?: string | undefined;
}

type Environments = Pick<Config, 'environments' | 'variables'>;

/**
 * Finds the environments that are meant, in the order of the configuration. `now` is what the condition sees as the
 * time. Throws UNKNOWN_NAME if there is none, or none for one of the names, and USAGE for a wrong condition.
 */
export async function selectEnvironments(
  config: Environments,
  { names, where }: EnvironmentSelection,
  now: Date,
): Promise<readonly string[]> {
  const all = Object.keys(config.environments);
  const patterns = names?.split(',').map((one) => one.trim()) ?? ['*'];
  for (const pattern of patterns) if (!all.some((name) => matchesPattern(pattern, name))) throw noMatch(pattern, all);
  const named = all.filter((name) => patterns.some((pattern) => matchesPattern(pattern, name)));
  if (where === undefined) return named;
  const labels = emptyLabels(config);
  const decide = await conditionOf(where, labels);
  const selected = named.filter((name) => {
    const verdict = decide({ ...variablesOf(config, name, labels), now });
    if (verdict.is !== 'undecided') return verdict.is === 'met';
    throw new DexsyncError('USAGE', `\`--where\` cannot be decided for environment "${name}": ${verdict.reason}`);
  });
  if (selected.length > 0) return selected;
  const message = `None of ${named.length} ${named.length === 1 ? 'environment' : 'environments'} meets the condition ${where}.`;
  const hint = '`dexsync env list` shows the environments with their labels.';
  throw new DexsyncError('UNKNOWN_NAME', message, { hint });
}

/** The settings of a fleet. Throws UNKNOWN_NAME. */
export function fleetNamed(name: string, { fleets = {} }: Pick<Config, 'fleets'>): FleetSettings {
  const found = Object.hasOwn(fleets, name) ? fleets[name] : undefined;
  if (found !== undefined) return found;
  const hint = nearestHint(name, Object.keys(fleets)) ?? 'Add it under `fleets` in sync.config.yaml.';
  throw new DexsyncError('UNKNOWN_NAME', `The configuration has no fleet "${name}".`, { hint });
}

/** The names of the environments of a fleet, in the order of the configuration. Throws as `selectEnvironments` does. */
export async function fleetEnvironments(
  fleet: string,
  config: Environments & Pick<Config, 'fleets'>,
  now: Date,
): Promise<readonly string[]> {
  const { environments: names, where } = fleetNamed(fleet, config);
  return selectEnvironments(config, { names, where }, now);
}

/** The condition, whose language is loaded only where there is one. */
async function conditionOf(where: string, labels: Labels): Promise<Rule['decide']> {
  const { readCondition } = await import('#core/engine/rules/read-condition.js');
  const condition = readCondition(where, 'environment', { labels });
  if (typeof condition === 'function') return condition;
  throw new DexsyncError('USAGE', `\`--where\`: ${condition.message}`, { hint: condition.hint });
}

/** What a condition can use of an environment. A label that only others have is an empty text. */
function variablesOf(config: Environments, name: string, none: Labels) {
  const { labels = {}, variables = {}, production = false } = config.environments[name] ?? {};
  return {
    name,
    labels: { ...none, ...labels },
    variables: { ...config.variables, ...variables },
    production,
  };
}

type Labels = Readonly<Record<string, string>>;

/** All labels of a configuration, without a value. */
const emptyLabels = ({ environments }: Environments): Labels =>
  Object.fromEntries(
    Object.values(environments).flatMap(({ labels = {} }) => Object.keys(labels).map((key) => [key, ''])),
  );

function noMatch(pattern: string, all: readonly string[]): DexsyncError {
  if (!isPattern(pattern)) return unknownEnvironment(pattern, all);
  const hint = nearestHint(pattern, all) ?? '`dexsync env list` lists the environments.';
  return new DexsyncError('UNKNOWN_NAME', `No environment matches "${pattern}".`, { hint });
}
