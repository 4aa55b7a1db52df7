import { omitUndefined } from '#base/omit-undefined.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { Plan } from '#core/model/plan.js';
import { chainRecord, firstLines, followChain, type LinesEnd, type PreviousJournal, wholeLines } from './chain.js';
import { followHead, moveHead } from './head.js';
import { pieces } from './join-pieces.js';
import { isJournalOf, journalTime, nextJournalName } from './journal-name.js';
import type { JournalRecord } from './journal-record.js';
import { atOneMoment, type JournalStore, type JournalWriter } from './journal-store.js';
import type { Ledger, StoredJournal } from './ledger.js';
import { appliedStepIn, readAppliedPlan } from './read-journal.js';
import { openState, type PlacedJournal } from './read-state.js';

/** Opens the ledger of one workspace over the store of its journals. */
export function storedLedger(store: JournalStore): Ledger {
  const { read, follow } = openState(store);
  return {
    state: read,
    async lastApplied(address) {
      const names = await store.names();
      for (const [index, name] of [...names.entries()].reverse()) {
        const found = appliedStepIn(await store.read(name), store.place(name), address);
        if (found !== undefined) return { ...found, number: index + 1 };
      }
      return undefined;
    },
    journals: async () => (await store.names()).map((name) => storedJournal(store, name)),
    async applyOf(nonce) {
      const name = (await store.names()).find((one) => isJournalOf(one, nonce));
      return name === undefined ? undefined : readAppliedPlan(store, name);
    },
    async begin(plan, at, apply, records = []) {
      const now = atOneMoment(store);
      await followHead(now);
      const recent = await now.recent();
      const before = recent.at(-1);
      const name = nextJournalName(recent, at, plan.nonce);
      const previous = await linkToLast(now, before);
      const first = firstRecord(plan, { at, previous, apply }, store);
      const end: LinesEnd = { chain: '', size: 0 };
      const writer = await store.create(name, refuseSecrets(pieces(firstLines([first, ...records], end)), store));
      await moveHead(store, name, end.chain);
      return follow({ ...openJournal(writer, end, store), name, before, records });
    },
  };
}

/** The facts come first: they are read without the plan, which may be large. */
const firstRecord = (
  plan: Plan,
  { at, previous, apply }: { at: string; previous: PreviousJournal | undefined; apply: ApplyFacts | undefined },
  { movedFrom, delay }: JournalStore,
): JournalRecord => ({
  type: 'plan',
  at,
  ...omitUndefined({ previous, movedFrom, delay, apply }),
  plan,
});

async function linkToLast(store: JournalStore, journal: string | undefined): Promise<PreviousJournal | undefined> {
  if (journal === undefined) return undefined;
  // Reading the ledger reports a journal that cannot be read.
  const { links } = followChain(wholeLines(await store.read(journal).catch(() => '')));
  return { journal, chain: links.at(-1) ?? '' };
}

/** Throws before a journal is begun if a piece, or two pieces together, contain a secret. */
function* refuseSecrets(texts: Iterable<string>, { secrets }: JournalStore): Generator<string> {
  let before = '';
  for (const text of texts) {
    secrets?.refuse(before + text, JOURNAL);
    before = text.slice(-LONGEST);
    yield text;
  }
}

/** Characters at the end of a piece in which a secret may begin. */
const LONGEST = 1 << 16;
const JOURNAL = 'The journal';

/** Redacts why a write failed: the service's words may repeat the request. */
const withoutSecrets = (record: JournalRecord, { secrets }: JournalStore): JournalRecord =>
  secrets === undefined || record.type !== 'outcome' || record.failed === undefined
    ? record
    : { ...record, failed: secrets.redact(record.failed) };

/** Gives each record the hash that continues the line before it. A refused record leaves the journal unchanged. */
function openJournal(
  writer: JournalWriter,
  end: LinesEnd,
  store: JournalStore,
): Pick<PlacedJournal, 'append' | 'close' | 'chain' | 'size'> {
  return {
    chain: () => end.chain,
    size: () => end.size,
    async append(record, when) {
      const { line, chain } = chainRecord(withoutSecrets(record, store), end.chain);
      store.secrets?.refuse(line, JOURNAL);
      end.chain = chain;
      end.size += line.length;
      return writer.append(line, when);
    },
    close: () => writer.close(),
  };
}

function storedJournal(store: JournalStore, name: string): StoredJournal {
  const begun = journalTime(name);
  return { name, ...omitUndefined({ begun }), text: () => store.read(name) };
}
