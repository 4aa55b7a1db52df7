import { DexsyncError } from '#base/errors.js';
import type { Backend } from '#ledger/backend.js';
import { type DocumentStore, plansShelf, rolloutsShelf } from '#ledger/document-store.js';
import { environmentOfOtherLedger } from '../config/ledger-settings.js';
import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';
import { withBackend } from './backend-of.js';

/** The rollouts of a stack, and the saved plans of the environments beside them. */
export interface StackRollouts {
  readonly rollouts: DocumentStore;
  readonly plansOf: (environment: string) => DocumentStore;
  readonly leases: Backend['leases'];
  readonly place: string;
}

/**
 * Opens the ledger that some environments share. Needs no login and sends no request. Throws CONFIG_INVALID if they have
 * several ledgers.
 */
export async function withRollouts<T>(
  config: Config,
  environments: readonly string[],
  host: Host,
  use: (found: StackRollouts) => Promise<T>,
): Promise<T> {
  const [first] = environments;
  const other = environmentOfOtherLedger(config, environments, host.variables);
  if (other !== undefined)
    throw new DexsyncError('CONFIG_INVALID', `The environments "${first}" and "${other}" have different ledgers.`, {
      hint: 'A rollout is recorded in one ledger: give the environments of a fleet the same `ledger`.',
    });
  return withBackend(config, first, host, ({ documents, leases, place }) =>
    use({
      rollouts: documents(rolloutsShelf(config.stack)),
      plansOf: (environment) => documents(plansShelf(config.stack, environment)),
      leases,
      place,
    }),
  );
}
