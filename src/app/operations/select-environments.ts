import { environmentPlace } from '#project/config/environment.js';
import { type EnvironmentSelection, selectEnvironments as select } from '#project/config/select-environments.js';
import { knownLogin } from '#project/config/workspace-place.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** One of several environments. */
export interface SelectedEnvironment {
  readonly name: string;
  /** Equal for two environments that one user logs in to: the second login would end the session of the first. */
  readonly session: string;
}

/**
 * Finds the environments that names, patterns and a condition mean. Contacts none. Throws UNKNOWN_NAME if there is none,
 * and USAGE for a wrong condition.
 */
export async function selectEnvironments(
  { names, where, ...options }: ProjectOptions & EnvironmentSelection,
  host: Host,
): Promise<readonly SelectedEnvironment[]> {
  const config = await openConfig(options, host);
  const selected = await select(config, { names, where }, host.clock());
  return selected.map((name) => {
    const { service } = environmentPlace(config, name, host.variables);
    return { name, session: `${service} ${knownLogin(config, name, host.variables) ?? ''}` };
  });
}
