import type { Config } from '../config/load-config.js';
import { findWorkspacePlace } from '../config/workspace-place.js';
import type { Host } from '../host.js';
import type { NumberedJournal, StoredJournal } from '../ledger/ledger.js';
import { storedLedger } from '../ledger/stored-ledger.js';
import { withBackend } from './backend-of.js';
import { refuseWrite } from './gate.js';
import { isUnused, knownWorkspace } from './known-workspace.js';

/** The journals of the workspace behind an environment. */
export interface EnvironmentJournals {
  readonly environment: string;
  /** The oldest first. */
  readonly journals: readonly NumberedJournal[];
}

/**
 * The journals of the workspace that an environment leads to. No request of the service is spent on them: the configuration
 * names the workspace, or an earlier command remembered it. It logs in only where neither tells.
 */
export async function withJournals<T>(
  config: Config,
  chosen: string | undefined,
  host: Host,
  use: (found: EnvironmentJournals) => Promise<T>,
): Promise<T> {
  const place = findWorkspacePlace(config, chosen, host.variables);
  const { environment } = place;
  if (await isUnused(place)) return use({ environment, journals: [] });
  const numbered = (journals: readonly StoredJournal[]): Promise<T> =>
    use({ environment, journals: journals.map((journal, index) => ({ ...journal, number: index + 1 })) });
  const identity = await knownWorkspace(config, place);
  if (identity !== undefined) {
    return withBackend(config, chosen, host, async (backend) =>
      numbered(await storedLedger(backend.journals(identity, refuseWrite)).journals()),
    );
  }
  // The client is loaded only where it is needed.
  const { withConnection } = await import('./connection.js');
  return withConnection(config, { environment: chosen, access: 'read' }, host, async ({ ledger }) =>
    numbered(await ledger.journals()),
  );
}
