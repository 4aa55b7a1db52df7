/** Journals are ordered by number, not by time; those of older versions have no number, and come first. */
const SEQUENCE = /^j(\d{8})_/;

/** The name of the next journal; takes `at` in ISO 8601, and the nonce of its plan. */
export function nextJournalName(names: readonly string[], at: string, nonce: string): string {
  const last = Number(SEQUENCE.exec(names.at(-1) ?? '')?.[1] ?? names.length);
  return `j${String(last + 1).padStart(8, '0')}_${at.replaceAll(/[-:.]/g, '')}-${nonce}.jsonl`;
}

/** The number of a journal's apply in its ledger; 0 for journals of older versions. */
export const journalNumber = (name: string): number => Number(SEQUENCE.exec(name)?.[1] ?? 0);

/** Whether a journal belongs to the plan with this nonce. */
export const isJournalOf = (name: string, nonce: string): boolean => nonceIn(name) === nonce;

const nonceIn = (name: string): string => name.slice(name.indexOf('-') + 1).replace(/\.jsonl$/, '');

const REBUILT = 'rebuilt';
const MOVED = 'moved';
const READDRESSED = `${MOVED}-address`;

/** The nonce of a journal with the whole state, so that no earlier journal is read for it. */
export const rebuiltNonce = (nonce: string): string => `${REBUILT}-${nonce}`;

/** The nonce of the journal that ends a ledger because it moved to another place. */
export const movedNonce = (nonce: string): string => `${MOVED}-${nonce}`;

/** The nonce of the journal that ends a ledger because the workspace has a new address. */
export const readdressedNonce = (nonce: string): string => `${READDRESSED}-${nonce}`;

export const isReaddressed = (name: string): boolean => nonceIn(name).startsWith(`${READDRESSED}-`);

export const isRebuilt = (name: string): boolean => nonceIn(name).startsWith(`${REBUILT}-`);
/** The journals that make up the state: the last one with the whole state, and all later ones. */
export const sinceRebuilt = (names: readonly string[]): readonly string[] =>
  names.slice(Math.max(0, names.findLastIndex(isRebuilt)));

export const isMoved = (name: string): boolean => nonceIn(name).startsWith(`${MOVED}-`);

/** When a journal was begun, according to its name: ISO 8601 in UTC. */
export function journalTime(name: string): string | undefined {
  const [, date, hours, minutes, rest, milliseconds] =
    /^(?:j\d{8}_)?(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})Z-/.exec(name) ?? [];
  const day = date?.replace(/^(....)(..)(..)$/, '$1-$2-$3');
  return day === undefined ? undefined : `${day}T${hours}:${minutes}:${rest}.${milliseconds}Z`;
}

/** The folder name of a workspace: host, port and id, in characters that every file system allows. */
export const workspaceFolder = (identity: string): string => identity.replaceAll(/[^A-Za-z0-9._-]/g, '_');

/** Whether a folder may be that of a workspace with this id. */
export const isFolderOf = (folder: string, id: string): boolean => folder.endsWith(workspaceFolder(`/${id}`));
