import type { Target } from '#delivery/fleet/run-targets.js';
import { environmentPlace } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { type EnvironmentSelection, selectEnvironments as select } from '#project/config/select-environments.js';
import { knownLogin } from '#project/config/workspace-place.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/**
 * Finds the environments that names, patterns and a condition mean. Contacts none. Throws UNKNOWN_NAME if there is none,
 * and USAGE for a wrong condition.
 */
export async function selectEnvironments(
  { names, where, ...options }: ProjectOptions & EnvironmentSelection,
  host: Host,
): Promise<readonly Target[]> {
  const config = await openConfig(options, host);
  return targetsIn(config, { names, where }, host);
}

/** Finds the environments of an open configuration. */
export async function targetsIn(
  config: Config,
  selection: EnvironmentSelection,
  host: Host,
): Promise<readonly Target[]> {
  const selected = await select(config, selection, host.clock());
  return selected.map((name) => {
    const { service } = environmentPlace(config, name, host.variables);
    return { name, session: `${service} ${knownLogin(config, name, host.variables) ?? ''}` };
  });
}
