import { checkLedger, type LedgerCheck } from '#ledger/check-ledger.js';
import { withStoredJournals } from '#project/connection/environment-journals.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** The result of checking the ledger of an environment. */
export interface CheckedLedger extends LedgerCheck {
  readonly environment: string;
  /** Where it is kept; null if nothing was ever applied. */
  readonly place: string | null;
}

const NOTHING: LedgerCheck = {
  applies: 0,
  unfinished: 0,
  objects: 0,
  imports: 0,
  snapshot: 'none',
  torn: [],
  problems: [],
};

/** Reads the whole ledger of an environment's workspace. Sends no request if that workspace is known. */
export async function checkEnvironmentLedger(options: ProjectOptions, host: Host): Promise<CheckedLedger> {
  const config = await openConfig(options, host);
  return withStoredJournals(config, options.environment, host, async (kept) => {
    const { environment } = kept;
    if (kept.journals === undefined) return { environment, place: null, ...NOTHING };
    return { environment, place: kept.place, ...(await checkLedger(kept.journals)) };
  });
}
