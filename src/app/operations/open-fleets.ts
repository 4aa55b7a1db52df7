import { DexsyncError } from '#base/errors.js';
import { ledgerSettings } from '#project/config/ledger-settings.js';
import type { Config } from '#project/config/load-config.js';
import { fleetEnvironments } from '#project/config/select-environments.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { withSharedOpen, withSharing } from '#project/once.js';
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

/** Opens the configuration as it is now for a part of an operation that lasts; the ledger stays open. */
export const withFreshFleets = <T>(
  options: Pick<ProjectOptions, 'config' | 'dataFolder'>,
  outer: Host,
  use: (opened: OpenedFleets) => Promise<T>,
): Promise<T> => withSharedOpen(outer, (host) => withFleets(options, host, use));

/** A fleet for workers, and the database of its ledger, in which they find their work. Throws CONFIG_INVALID if there is none. */
export async function fleetForWorkers({
  config,
  host,
}: OpenedFleets): Promise<{ readonly fleet: string; readonly url: string }> {
  const [fleet] = Object.entries(config.fleets ?? {}).flatMap(([name, { workers, drift }]) =>
    workers === true || drift !== undefined ? [name] : [],
  );
  if (fleet === undefined)
    throw new DexsyncError('CONFIG_INVALID', 'No fleet of the configuration is for workers.', {
      hint: 'Add `workers: true` to a fleet under `fleets` in sync.config.yaml.',
    });
  return { fleet, url: await databaseOf(fleet, { config, host }) };
}

/** The database of the ledger of a fleet for workers. Throws CONFIG_INVALID for any other ledger. */
export async function databaseOf(fleet: string, { config, host }: OpenedFleets): Promise<string> {
  const [environment] = await fleetEnvironments(fleet, config, host.clock());
  const ledger = ledgerSettings(config, environment, host.variables);
  if (ledger.is === 'postgres') return ledger.url;
  throw new DexsyncError('CONFIG_INVALID', `The fleet ${fleet} is for workers, and its ledger is not in PostgreSQL.`, {
    hint: 'Workers find their work in the database of the ledger: set `ledger: postgres://USER@HOST/DATABASE`, or remove `workers` and `drift`.',
  });
}
