import { DexsyncError } from '#base/errors.js';
import { isObject, jsonIn } from '#core/model/json.js';
import { sinceRebuilt } from './journal-name.js';
import type { JournalStore } from './journal-store.js';

/** The workspace that a journal is about. Versions before 0.1 did not record it. */
export interface JournalOrigin {
  readonly workspace?: string;
  /** The identity that the workspace had before; earlier journals name that one. */
  readonly movedFrom?: string;
}

/** Reads the origin from a first line without parsing the plan, which may be large. */
export function originIn(line: string): JournalOrigin {
  const moved = jsonIn(MOVED_FROM.exec(line)?.[1] ?? '');
  const workspace = jsonIn(WORKSPACE.exec(line)?.[1] ?? '');
  const identity = isObject(workspace) ? workspace.identity : undefined;
  return {
    ...(typeof identity === 'string' ? { workspace: identity } : {}),
    ...(typeof moved === 'string' ? { movedFrom: moved } : {}),
  };
}

const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
/** The workspace in a plan, as it is written. */
const WORKSPACE = new RegExp(`"workspace":(\\{"id":${TEXT},"name":${TEXT},"identity":${TEXT}\\})`);
/** The former identity, before the plan. */
const MOVED_FROM = new RegExp(`^\\{"type":"plan","at":"[^"]*",(?:"previous":\\{[^{}]*\\},)?"movedFrom":(${TEXT})`);

interface Originating {
  readonly name: string;
  readonly origin: JournalOrigin;
}

/** LEDGER_DAMAGED if a journal, oldest first, is about another workspace: a folder was copied, merged or swapped. */
export function findForeignJournal(
  journals: readonly Originating[],
  store: Pick<JournalStore, 'workspace' | 'movedFrom' | 'place'>,
): DexsyncError | undefined {
  const own = new Set([store.workspace, store.movedFrom]);
  for (const { name, origin } of [...journals].reverse()) {
    const { workspace = store.workspace, movedFrom } = origin;
    if (!own.has(workspace)) return foreign(store.place(name), workspace, store);
    if (movedFrom !== undefined) own.add(movedFrom);
  }
  return undefined;
}

/** Checks all readable journals for another workspace. */
export async function findForeignJournalInStore(store: JournalStore): Promise<DexsyncError | undefined> {
  const names = sinceRebuilt(await store.names());
  const all = names.map(async (name) => readOrigin(name, await store.read(name).catch(() => '')));
  return findForeignJournal(await Promise.all(all), store);
}

/** The workspaces that these ledgers belong to, for backends whose folder names do not show them. */
export async function listWorkspaces(stores: readonly JournalStore[]): Promise<readonly string[]> {
  const all = stores.map(async (store) => {
    const last = (await store.recent().catch(() => [])).at(-1);
    return last === undefined ? undefined : readOrigin(last, await store.read(last).catch(() => '')).origin.workspace;
  });
  return (await Promise.all(all)).filter((identity) => identity !== undefined);
}

/** Reads the origin of a journal from its text. */
export const readOrigin = (name: string, text: string): Originating => ({
  name,
  origin: originIn(text.slice(0, text.indexOf('\n'))),
});

const foreign = (place: string, other: string, { workspace }: Pick<JournalStore, 'workspace'>): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `The journal ${place} belongs to workspace ${other}, not to ${workspace}.`, {
    hint: 'A ledger was copied or moved into the place of another. Put each back into its own folder, or restore them from a backup.',
  });
