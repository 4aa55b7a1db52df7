import { DexsyncError } from '#base/errors.js';
import { holdsLink, lastLink } from './chain.js';
import { journalNumber } from './journal-name.js';
import { findForeignJournal, readOrigin } from './journal-origin.js';
import type { Head, JournalStore } from './journal-store.js';
import { parseJournal } from './parse-journal.js';

/** A loss: the ledger ends before the end that was seen earlier. */
export interface Loss {
  /** The journal whose name a person gives to accept the loss. */
  readonly journal: string;
  readonly error: DexsyncError;
}

/**
 * Finds what a ledger has lost since this machine, or the place beside the ledger, saw it. Heads are read first:
 * concurrent writes only add to the journals, so that no running process looks like a loss to another.
 */
export async function findLoss(store: JournalStore): Promise<Loss | undefined> {
  return lossSince((await store.head?.read()) ?? [], store);
}

async function lossSince(heads: readonly Head[], store: JournalStore): Promise<Loss | undefined> {
  for (const head of [...heads].sort((one, other) => (one.journal < other.journal ? 1 : -1))) {
    const how = await howLost(head, store);
    if (how === undefined || (await isAccepted(head.journal, store))) continue;
    return { journal: head.journal, error: lossError(head, how, store, await store.head?.wayBack?.(head)) };
  }
  return undefined;
}

/** A journal that was put aside is covered by a snapshot and may be slow to read, so its lines are not checked. */
async function howLost({ journal, chain }: Head, store: JournalStore): Promise<string | undefined> {
  if (!(await store.recent()).includes(journal))
    return (await store.names()).includes(journal) ? undefined : 'is missing';
  return holdsLink(await store.read(journal), chain) ? undefined : 'lost lines at its end';
}

/** The reason that is recorded when a person accepts a loss; their own reason comes first. */
export const acceptedLossReason = (journal: string, reason?: string): string =>
  `${reason === undefined ? '' : `${reason}: `}went on without ${journal}`;

/** Whether somebody, perhaps on another machine, accepted the loss; the ledger itself records that. */
async function isAccepted(journal: string, store: JournalStore): Promise<boolean> {
  for (const name of [...(await store.recent())].reverse()) {
    const { apply } = parseJournal(await store.read(name));
    if (apply?.reason?.includes(acceptedLossReason(journal))) return true;
  }
  return false;
}

/**
 * Moves the head to the end of the ledger. Throws LEDGER_DAMAGED if the ledger lost something since, or belongs to
 * another workspace.
 */
export async function followHead(store: JournalStore): Promise<void> {
  if (store.head === undefined) return;
  const heads = await store.head.read();
  const loss = await lossSince(heads, store);
  const name = (await store.recent()).at(-1);
  const text = name === undefined ? '' : await store.read(name);
  const refusal = (name === undefined ? undefined : findForeignJournal([readOrigin(name, text)], store)) ?? loss?.error;
  if (refusal !== undefined) throw refusal;
  if (name === undefined) return;
  const chain = lastLink(text);
  if (!heads.some((head) => head.journal === name && head.chain === chain)) await store.flush?.(name);
  await moveHead(store, name, chain);
}

/** Records that the ledger ends with this line now. */
export async function moveHead(store: JournalStore, journal: string, chain: string): Promise<void> {
  await store.head?.write({ workspace: store.workspace, applies: journalNumber(journal), journal, chain });
}

/** LEDGER_DAMAGED, with ways to recover. */
export function lossError(
  { journal, applies }: Pick<Head, 'journal' | 'applies'>,
  how: string,
  { workspace, place }: Pick<JournalStore, 'workspace' | 'place'>,
  wayBack = 'Restore it from a backup, or from where the folder was moved to',
): DexsyncError {
  const which = applies === 0 ? 'The journal' : `Apply ${applies}, the journal`;
  return new DexsyncError(
    'LEDGER_DAMAGED',
    `The ledger of workspace ${workspace} is older than what was seen of it. ${which} ${place(journal)}, ${how}, so it is unknown what was created, imported and protected then.`,
    {
      hint: `${wayBack}. If it is lost, \`dexsync ledger rebuild\` finds what the workspace shows, or \`dexsync ledger accept ${journal}\` makes what is left the ledger.`,
    },
  );
}
