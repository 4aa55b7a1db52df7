import type { Address } from '#core/model/address.js';
import { type HistoryEntry, readEntry } from '#ledger/history/history-entry.js';
import type { NumberedJournal } from '#ledger/ledger.js';
import { withJournals } from '#project/connection/journals-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { parseManifestAddress } from '#project/parse-address.js';
import { openConfig } from '#project/project.js';

/** Which applies are listed. */
export interface HistoryOptions extends ProjectOptions {
  /** Only applies whose plan named this object, `Kind/name`. */
  readonly address?: string;
  /** Only applies that were begun then or later. */
  readonly since?: Date;
  /** No more than so many, the newest. */
  readonly limit?: number;
}

/** What was applied to a workspace, for people who have to answer for it. */
export interface History {
  readonly environment: string;
  /** How many applies are recorded in all. */
  readonly recorded: number;
  /** Those that were asked for, the newest first. */
  readonly applies: readonly HistoryEntry[];
  /** Whether older ones were left out because of the limit. */
  readonly more: 'yes' | 'no';
}

/** Lists what was applied, by the journals alone. Spends no request where it is known which workspace is meant. */
export async function history({ address, since, limit, ...project }: HistoryOptions, host: Host): Promise<History> {
  const config = await openConfig(project, host);
  const object = address === undefined ? undefined : parseManifestAddress(address, config.catalog);
  const earliest = since?.toISOString();
  return withJournals(config, project.environment, host, async ({ environment, journals }) => {
    const chosen = journals.filter(({ begun }) => earliest === undefined || begun === undefined || begun >= earliest);
    const found = await newest(chosen, object, limit === undefined ? chosen.length : limit + 1);
    const applies = found.slice(0, limit);
    return { environment, recorded: journals.length, applies, more: found.length > applies.length ? 'yes' : 'no' };
  });
}

/** As many files as are read at once; memory holds no more of them. */
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
