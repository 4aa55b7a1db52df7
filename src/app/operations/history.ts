import type { Address } from '#core/model/address.js';
import { type HistoryEntry, readEntry } from '#ledger/history/history-entry.js';
import type { NumberedJournal } from '#ledger/ledger.js';
import { withJournals } from '#project/connection/environment-journals.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { parseManifestAddress } from '#project/parse-address.js';
import { openConfig } from '#project/project.js';

/** The applies to list. */
export interface HistoryOptions extends ProjectOptions {
  /** Only applies whose plan named this object, `Kind/name`. */
  readonly address?: string;
  /** Only applies that began then or later. */
  readonly since?: Date;
  /** The maximum number of applies; the newest are kept. */
  readonly limit?: number;
}

/** The applies to a workspace, for people who have to answer for them. */
export interface History {
  readonly environment: string;
  /** How many applies are recorded in all. */
  readonly recorded: number;
  /** The applies that match the options, newest first. */
  readonly applies: readonly HistoryEntry[];
  /** Whether older ones were left out because of the limit. */
  readonly more: boolean;
}

/** Lists applies from the journals alone. Spends no request if the workspace is known already. */
export async function history({ address, since, limit, ...project }: HistoryOptions, host: Host): Promise<History> {
  const config = await openConfig(project, host);
  const object = address === undefined ? undefined : parseManifestAddress(address, config.catalog);
  const earliest = since?.toISOString();
  return withJournals(config, project.environment, host, async ({ environment, journals }) => {
    const chosen = journals.filter(({ begun }) => earliest === undefined || begun === undefined || begun >= earliest);
    const found = await newest(chosen, object, limit === undefined ? chosen.length : limit + 1);
    const applies = found.slice(0, limit);
    return { environment, recorded: journals.length, applies, more: found.length > applies.length };
  });
}

/** Number of files that are read at once and held in memory. */
const AT_ONCE = 16;

async function newest(
  journals: readonly NumberedJournal[],
  object: Address | undefined,
  most: number,
): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = [];
  for (let end = journals.length; end > 0 && found.length < most; end -= AT_ONCE) {
    const batch = journals.slice(Math.max(0, end - AT_ONCE), end).reverse();
    const read = await Promise.all(batch.map((journal) => readEntry(journal, object)));
    found.push(...read.flatMap((one) => (one === undefined ? [] : [one.entry])));
  }
  return found.slice(0, most);
}
