import { DexsyncError } from '../errors.js';
import { holdsLink, lastLink } from './chain.js';
import { sequenceOf } from './journal-name.js';
import { foreignAmong, originOf } from './journal-origin.js';
import type { Head, JournalStore } from './journal-store.js';

/** A ledger that ends before what this machine saw of it. */
export interface Loss {
  /** By whose name a person accepts it. */
  readonly journal: string;
  readonly error: DexsyncError;
}

/**
 * What a ledger has lost since this machine looked last. The head is read first: what is written meanwhile only adds to the
 * journals, so that no process at work makes another one miss something.
 */
export async function lossOf(store: JournalStore): Promise<Loss | undefined> {
  const head = await store.head?.read();
  if (head === undefined) return undefined;
  const isThere = (await store.recent()).includes(head.journal) || (await store.names()).includes(head.journal);
  if (isThere && holdsLink(await store.read(head.journal), head.chain)) return undefined;
  return { journal: head.journal, error: lostEnd(head, isThere ? 'lost lines at its end' : 'is missing', store) };
}

/**
 * Moves the head on to where the ledger ends now. Throws LEDGER_DAMAGED where the ledger lost something since, and where it is
 * that of another workspace.
 */
export async function followHead(store: JournalStore): Promise<void> {
  if (store.head === undefined) return;
  const loss = await lossOf(store);
  const name = (await store.recent()).at(-1);
  const text = name === undefined ? '' : await store.read(name);
  const refusal = (name === undefined ? undefined : foreignAmong([originOf(name, text)], store)) ?? loss?.error;
  if (refusal !== undefined) throw refusal;
  if (name !== undefined) await moveHead(store, name, lastLink(text));
}

/** Notes that the ledger ends with this line now. */
export async function moveHead(store: JournalStore, journal: string, chain: string): Promise<void> {
  await store.head?.write({ workspace: store.workspace, applies: sequenceOf(journal), journal, chain });
}

const lostEnd = ({ journal, applies }: Head, how: string, { workspace, place }: JournalStore): DexsyncError => {
  const which = applies === 0 ? 'The journal' : `Apply ${applies}, the journal`;
  return new DexsyncError(
    'LEDGER_DAMAGED',
    `The ledger of workspace ${workspace} is older than what this machine saw of it. ${which} ${place(journal)}, ${how}, so it is unknown what was created, imported and protected then.`,
    {
      hint: `Restore it from a backup, or from where the folder was moved to. If it is lost, \`dexsync ledger rebuild\` finds what the workspace shows, or \`dexsync ledger accept ${journal}\` makes what is left the ledger.`,
    },
  );
};
