import { dataFolder } from '../config/environment.js';
import type { Config } from '../config/load-config.js';
import { findWorkspacePlace } from '../config/workspace-place.js';
import type { Host } from '../host.js';
import { fileLedger } from '../ledger/file-ledger.js';
import type { NumberedJournal, StoredJournal } from '../ledger/ledger.js';
import { isUnused, knownWorkspace } from './known-workspace.js';

/** The journals of the workspace behind an environment. */
export interface EnvironmentJournals {
  readonly environment: string;
  /** The oldest first. */
  readonly journals: readonly NumberedJournal[];
}

/**
 * The journals of the workspace that an environment leads to. They are local files, so no request is spent on them: the
 * configuration names the workspace, or an earlier command remembered it. It logs in only where neither tells.
 */
export async function journalsOf(config: Config, chosen: string | undefined, host: Host): Promise<EnvironmentJournals> {
  const place = findWorkspacePlace(config, chosen, host.variables);
  const { environment } = place;
  if (await isUnused(place)) return { environment, journals: [] };
  const identity = await knownWorkspace(config, place);
  const journals = await (identity === undefined
    ? journalsByLogin(config, chosen, host)
    : fileLedger(dataFolder(config), identity).journals());
  return { environment, journals: journals.map((journal, index) => ({ ...journal, number: index + 1 })) };
}

/** The client is loaded only where it is needed. */
async function journalsByLogin(
  config: Config,
  chosen: string | undefined,
  host: Host,
): Promise<readonly StoredJournal[]> {
  const { withConnection } = await import('./connection.js');
  return withConnection(config, { environment: chosen, access: 'read' }, host, ({ ledger }) => ledger.journals());
}
