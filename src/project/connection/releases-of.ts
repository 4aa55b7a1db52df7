import { type DocumentStore, releasesShelf } from '#ledger/document-store.js';
import { environmentOfOtherLedger } from '../config/ledger-settings.js';
import type { Config } from '../config/load-config.js';
import type { Host, ProjectOptions } from '../host.js';
import { openConfig } from '../project.js';
import { withBackend } from './backend-of.js';

/** The releases of a stack. */
export interface StackReleases {
  readonly config: Config;
  /** An environment with this ledger; undefined for the default one. */
  readonly chosen: string | undefined;
  readonly releases: DocumentStore;
}

/**
 * Opens the releases in the ledger of the chosen environment; none has to be chosen if all share one ledger. Needs no
 * login and sends no request.
 */
export async function withReleases<T>(
  options: Pick<ProjectOptions, 'config' | 'environment'>,
  host: Host,
  use: (found: StackReleases) => Promise<T>,
): Promise<T> {
  const config = await openConfig(options, host);
  const chosen = options.environment ?? anyOfOneLedger(config, host);
  return withBackend(config, chosen, host, (backend) =>
    use({ config, chosen, releases: backend.documents(releasesShelf(config.stack)) }),
  );
}

/** Returns an environment if all have the same ledger. */
function anyOfOneLedger(config: Config, { variables }: Host): string | undefined {
  const names = Object.keys(config.environments);
  return environmentOfOtherLedger(config, names, variables) === undefined ? names[0] : undefined;
}
