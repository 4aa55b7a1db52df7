import { DexsyncError } from '#base/errors.js';
import { acceptedLossReason, findLoss } from '#ledger/head.js';
import { findForeignJournalInStore } from '#ledger/journal-origin.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { withConnection } from '#project/connection/connection.js';
import { findOtherLedger } from '#project/connection/find-other-ledger.js';
import { recordLedgerEvent } from '#project/connection/record-ledger-event.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** The lost journal to accept. */
export interface AcceptLedgerOptions extends ProjectOptions {
  /** The name of the journal that was seen before and is missing now. */
  readonly journal: string;
}

/** A ledger that was accepted without a lost journal. */
export interface AcceptedLedger {
  readonly environment: string;
  readonly workspace: string;
  readonly place: string;
  readonly journal: string;
}

/**
 * Accepts a ledger that has lost a journal, or an empty one although there is another, and records that in its history.
 * Throws UNKNOWN_NAME if no such journal is missing.
 */
export async function acceptLedger({ journal, ...options }: AcceptLedgerOptions, given: Host): Promise<AcceptedLedger> {
  const host: Host = { ...given, goesOnAfterLoss: true };
  const config = await openConfig(options, host);
  const recorded = gatherFacts('ledger accept', options, config, host);
  return withConnection(config, { ...options, access: 'record' }, host, async (connection) => {
    const { environment, workspace, kept } = connection;
    const empty = { config, environment, identity: workspace.identity, place: kept.place };
    const isEmpty = (await kept.journals.recent()).length === 0;
    const loss = (await findLoss(kept.journals)) ?? (isEmpty ? await findOtherLedger(empty, host) : undefined);
    if (loss?.journal !== journal) throw notLost(journal, loss?.journal, environment);
    const foreign = await findForeignJournalInStore(kept.journals);
    if (foreign !== undefined) throw foreign;
    await kept.journals.head?.forget();
    const reason = acceptedLossReason(journal, options.reason);
    await recordLedgerEvent(kept.journals, { stack: config.stack, recorded, reason }, connection, host);
    return { environment, workspace: workspace.name, place: kept.place, journal };
  });
}

function notLost(given: string, lost: string | undefined, environment: string): DexsyncError {
  const message = `The ledger of environment ${environment} has not lost a journal ${given} since this machine looked last.`;
  const hint =
    lost === undefined ? 'There is nothing to accept.' : `It has lost ${lost}: run \`dexsync ledger accept ${lost}\`.`;
  return new DexsyncError('UNKNOWN_NAME', message, { hint });
}
