import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { FleetSettings } from '#project/config/fleet-schema.js';
import type { Config } from '#project/config/load-config.js';
import { selectEnvironments } from '#project/config/select-environments.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { openConfig } from '#project/project.js';

/** A host whose parts find things out once, and the configuration. */
export interface OpenedFleets {
  readonly host: Host;
  readonly config: Config;
}

/** Opens the configuration for an operation whose parts share what they open. */
export const withFleets = <T>(
  options: Pick<ProjectOptions, 'config' | 'dataFolder'>,
  outer: Host,
  use: (opened: OpenedFleets) => Promise<T>,
): Promise<T> => withSharing(outer, async (host) => use({ host, config: await openConfig(options, host) }));

/** The names of the environments of a fleet, in the order of the configuration. Throws UNKNOWN_NAME. */
export async function fleetEnvironments(fleet: string, config: Config, host: Host): Promise<readonly string[]> {
  const { environments: names, where } = fleetNamed(fleet, config);
  return selectEnvironments(config, { names, where }, host.clock());
}

/** The settings of a fleet. Throws UNKNOWN_NAME. */
export function fleetNamed(name: string, { fleets = {} }: Pick<Config, 'fleets'>): FleetSettings {
  const found = Object.hasOwn(fleets, name) ? fleets[name] : undefined;
  if (found !== undefined) return found;
  const hint = nearestHint(name, Object.keys(fleets)) ?? 'Add it under `fleets` in sync.config.yaml.';
  throw new DexsyncError('UNKNOWN_NAME', `The configuration has no fleet "${name}".`, { hint });
}
