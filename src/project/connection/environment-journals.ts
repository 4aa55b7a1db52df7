import { withHint } from '#base/diagnostics.js';
import { findLoss } from '#ledger/head.js';
import type { JournalStore } from '#ledger/journal-store.js';
import { type LastSeen, readLastSeen, type SeenStore } from '#ledger/last-seen.js';
import type { NumberedJournal } from '#ledger/ledger.js';
import { storedLedger } from '#ledger/stored-ledger.js';
import type { Config } from '../config/load-config.js';
import { findWorkspacePlace } from '../config/workspace-place.js';
import type { Host } from '../host.js';
import { addressChanged, formerWorkspaces } from './address-change.js';
import { withBackend } from './backend-of.js';
import { isUnused, knownWorkspace } from './known-workspace.js';
import { refuseWrite } from './login-lease.js';

/** The journals of the workspace behind an environment. */
export interface EnvironmentJournals {
  readonly environment: string;
  /** Oldest first. */
  readonly journals: readonly NumberedJournal[];
  /** Reads what a plan, `drift` or a watch saw there last; undefined if none did. */
  readonly lastSeen: () => Promise<LastSeen | undefined>;
}

/** The stored journals of one workspace. */
export interface StoredJournals {
  readonly environment: string;
  readonly journals: JournalStore;
  readonly seen: SeenStore;
  readonly place: string;
}

/** Passes the numbered journals of an environment's workspace to `use`. See `withStoredJournals`. */
export const withJournals = <T>(
  config: Config,
  chosen: string | undefined,
  host: Host,
  use: (found: EnvironmentJournals) => Promise<T>,
  whenUnknown?: () => Promise<T>,
): Promise<T> => {
  const read = async (kept: StoredJournals | UnusedEnvironment): Promise<T> => {
    const { environment } = kept;
    if (kept.journals === undefined) return use({ environment, journals: [], lastSeen: async () => undefined });
    const lost = (await findLoss(kept.journals))?.error;
    if (lost !== undefined) {
      const { message, hint } = lost;
      const diagnostic = withHint({ severity: 'warning', code: 'ledger-damaged', message }, hint);
      host.emit({ type: 'diagnostic', diagnostic });
    }
    const journals = await storedLedger(kept.journals).journals();
    const numbered = journals.map((journal, index) => ({ ...journal, number: index + 1 }));
    return use({ environment, journals: numbered, lastSeen: () => readLastSeen(kept.seen) });
  };
  return withStoredJournals(config, chosen, host, read, whenUnknown);
};

/** An environment whose workspace was never used. */
interface UnusedEnvironment {
  readonly environment: string;
  readonly journals?: undefined;
}

/**
 * Passes the stored journals of an environment's workspace to `use`; undefined if it was never used. Sends no request
 * to the service: the configuration names the workspace, or an earlier command remembered it. If neither is the case,
 * logs in, or does what `whenUnknown` says.
 */
export async function withStoredJournals<T>(
  config: Config,
  chosen: string | undefined,
  host: Host,
  use: (kept: StoredJournals | UnusedEnvironment) => Promise<T>,
  whenUnknown?: () => Promise<T>,
): Promise<T> {
  const found = findWorkspacePlace(config, chosen, host.variables);
  const { environment } = found;
  if (await isUnused(found)) return use({ environment });
  const identity = await knownWorkspace(config, found);
  if (identity !== undefined) {
    return withBackend(config, chosen, host, async (backend) => {
      const journals = backend.journals(identity, refuseWrite);
      if (found.database === undefined && (await journals.recent()).length === 0) {
        const { likely } = await formerWorkspaces(identity, { config, backend, host });
        if (likely.length > 0) throw addressChanged(environment, identity, likely);
      }
      const seen = backend.seen(config.stack, environment);
      return use({ environment, journals, seen, place: backend.place });
    });
  }
  if (whenUnknown !== undefined) return whenUnknown();
  // The client is loaded only if it is needed.
  const { withConnection } = await import('./connection.js');
  return withConnection(config, { environment: chosen, access: 'read' }, host, ({ kept }) =>
    use({ environment, ...kept }),
  );
}
