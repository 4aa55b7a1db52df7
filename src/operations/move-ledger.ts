import { namedLedger } from '../config/ledger-settings.js';
import { withLedgerAt } from '../connection/backend-of.js';
import { gatherFacts } from '../connection/command-facts.js';
import { type Connection, withConnection } from '../connection/connection.js';
import { openGate } from '../connection/gate.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import type { Backend } from '../ledger/backend.js';
import { isMoved, movedNonce } from '../ledger/journal-name.js';
import type { JournalStore } from '../ledger/journal-store.js';
import { movedAway } from '../ledger/read-journal.js';
import { saveState } from '../ledger/read-state.js';
import { storedLedger } from '../ledger/stored-ledger.js';
import type { Plan } from '../model/plan.js';
import { planOfSteps } from '../planning/plan-steps.js';
import { openConfig } from '../project/project.js';

/** Where the ledger comes from; where it goes is in the configuration. */
export interface MoveLedgerOptions extends ProjectOptions {
  /** `file`, `file:FOLDER`, `git`, `git:REMOTE#BRANCH`, or the URL of a database. */
  readonly from: string;
}

/** What was moved. */
export interface MovedLedger {
  readonly environment: string;
  readonly workspace: string;
  readonly from: string;
  readonly to: string;
  /** Applies in the new place, and how many of them were copied now. */
  readonly applies: number;
  readonly copied: number;
}

/**
 * Copies the ledger of a workspace to where the configuration says, reads the copy again, and closes the old one for good: a
 * command that still has the old configuration is refused. Both places are locked meanwhile, and one that was broken off goes
 * on where it was. Throws LEDGER_DAMAGED where the new place has other applies.
 */
export async function moveLedger({ from, ...options }: MoveLedgerOptions, host: Host): Promise<MovedLedger> {
  const config = await openConfig(options, host);
  const recorded = gatherFacts('ledger move', options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, (connection) =>
    withLedgerAt(namedLedger(from, config), config, host, async (old) => {
      const { environment, workspace, kept } = connection;
      if (old.place === kept.place) throw samePlace(kept.place);
      return withOldLocked(old, connection, host, async (mayWrite) => {
        const source = old.journals(workspace.identity, mayWrite);
        const names = await source.names();
        const last = names.at(-1);
        if (last === undefined) throw nothingThere(workspace, old.place);
        if (isMoved(last)) throw await movedAway(source, last);
        const copied = await copyJournals(source, kept.journals, host);
        await saveState(kept.journals);
        const plan = planOfSteps([], config.stack, connection, host);
        await closeLedger(source, plan, await recorded.facts(plan, connection), kept.place, host);
        const facts = { from: old.place, to: kept.place, applies: names.length, copied };
        return { environment, workspace: workspace.name, ...facts };
      });
    }),
  );
}

/** Nobody who still uses the old place may write to it now. */
async function withOldLocked<T>(
  { leases }: Backend,
  { environment, login, workspace }: Connection,
  host: Host,
  use: (mayWrite: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const service = workspace.identity.slice(0, workspace.identity.lastIndexOf('/'));
  const gate = await openGate({ environment, service, login: login.email, access: 'write' }, leases, host);
  try {
    await gate.enter(workspace.identity);
    return await use(gate.mayWrite);
  } finally {
    await gate.close();
  }
}

/** As many journals, or characters of them, as are written at once. */
const [MOST, LARGEST] = [200, 4_000_000];

/** Copies what is not there yet, and reads each again. */
async function copyJournals(source: JournalStore, target: JournalStore, host: Host): Promise<number> {
  const names = await source.names();
  const there = (await target.names()).filter((name) => !isMoved(name));
  const strange = there.find((name) => !names.includes(name));
  if (strange !== undefined) throw otherLedger(target.place(strange));
  const missing = names.filter((name) => !there.includes(name));
  let done = 0;
  for (
    let batch = await nextBatch(source, missing);
    batch.length > 0;
    batch = await nextBatch(source, missing.slice(done))
  ) {
    await target.putWhole(batch);
    for (const { name, text } of batch) {
      if ((await target.read(name)) !== text) throw notTheSame(target.place(name));
    }
    done += batch.length;
    // What is listed for each command must not grow with the history.
    if (done < missing.length) await target.putAside(batch.map(({ name }) => name));
    host.emit({ type: 'read', what: 'applies', count: done });
  }
  return done;
}

async function nextBatch(source: JournalStore, names: readonly string[]) {
  const batch: { name: string; text: string }[] = [];
  let size = 0;
  for (const name of names) {
    if (batch.length === MOST || size > LARGEST) break;
    const text = await source.read(name);
    size += text.length;
    batch.push({ name, text });
  }
  return batch;
}

/** The last journal says where the ledger is now. */
async function closeLedger(
  source: JournalStore,
  plan: Plan,
  facts: Awaited<ReturnType<ReturnType<typeof gatherFacts>['facts']>>,
  to: string,
  host: Host,
): Promise<void> {
  const at = host.clock().toISOString();
  const moved = { ...plan, nonce: movedNonce(plan.nonce) };
  const journal = await storedLedger(source).begin(moved, at, { ...facts, reason: `moved to ${to}` });
  await journal.append({ type: 'end', at });
  await journal.close();
}

const samePlace = (place: string): DexsyncError =>
  new DexsyncError('USAGE', `The ledger is in ${place} already.`, {
    hint: 'First set `ledger` in the configuration to the new place, then name the old one with `--from`.',
  });

const nothingThere = ({ name }: Connection['workspace'], place: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `There is no ledger of workspace "${name}" in ${place}.`, {
    hint: 'Name the place that was used so far: `file`, `file:FOLDER`, `git:REMOTE#BRANCH`, or the URL of a database.',
  });

const otherLedger = (journal: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `The new place has an apply that the old one does not know: ${journal}.`, {
    hint: 'The two ledgers cannot be joined. Move to a place that is empty for this workspace, such as another branch or database.',
  });

const notTheSame = (journal: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `${journal} is not the same as in the old place.`, {
    hint: 'The old place was not closed. Move to an empty place.',
  });
