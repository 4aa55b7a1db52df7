import type { Config } from '#project/config/load-config.js';
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
