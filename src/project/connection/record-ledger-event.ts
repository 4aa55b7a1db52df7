import type { StateRecord } from '#ledger/journal-record.js';
import type { JournalStore } from '#ledger/journal-store.js';
import { storedLedger } from '#ledger/stored-ledger.js';
import type { Host } from '../host.js';
import type { CommandFacts } from './command-facts.js';
import { planOfSteps } from './plan-steps.js';
import type { ReachedWorkspace } from './reached-workspace.js';

/** An event of a ledger itself, for its history. */
export interface LedgerEvent {
  readonly stack: string;
  readonly recorded: CommandFacts;
  readonly reason?: string;
  /** Changes the nonce of a journal that is more than an entry of the history. */
  readonly nonceOf?: (nonce: string) => string;
  readonly records?: readonly StateRecord[];
}

/** Records an event of a ledger in it: a journal with a plan of no steps. */
export async function recordLedgerEvent(
  store: JournalStore,
  { stack, recorded, reason, nonceOf = (nonce) => nonce, records = [] }: LedgerEvent,
  connection: ReachedWorkspace,
  host: Host,
): Promise<void> {
  const at = host.clock().toISOString();
  const workspace = { ...connection.workspace, identity: store.workspace };
  const made = planOfSteps([], stack, { ...connection, workspace }, host);
  const plan = { ...made, nonce: nonceOf(made.nonce) };
  const facts = await recorded.facts(plan, connection);
  const journal = await storedLedger(store).begin(
    plan,
    at,
    reason === undefined ? facts : { ...facts, reason },
    records,
  );
  await journal.append({ type: 'end', at });
  await journal.close();
}
