import pLimit from 'p-limit';
import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { quoted } from '#base/printable.js';
import { shellWord } from '#base/shell-word.js';
import { type Address, firstAndMore, splitAddress } from '#core/model/address.js';
import type { Json, JsonObject } from '#core/model/json.js';
import type { Guid, Kind } from '#core/model/kind.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import type { Reader } from './client.js';
import { collectionOf } from './collection.js';
import { identityOf } from './identities.js';
import { type Listed, objectFault, sortEntries } from './odd-entries.js';
import { PARALLEL_READS } from './read-lookup.js';
import { saysAbsent, saysAbsentOrForbidden, saysNoEndpoint } from './refusal-meaning.js';
import { ServiceError } from './service-error.js';

/** An object that the ledger knows, and that a plan expects to exist or to be gone. */
export interface KnownObject {
  readonly address: Address;
  readonly identity: LiveIdentity;
  /** Absent if an earlier version recorded the object. */
  readonly guid?: Guid;
  /** If not, it was written so recently that a service that lags may not show it yet. */
  readonly isSettled: boolean;
}

/** The ledger's records of the objects of one kind. */
export interface Recorded {
  readonly known: readonly KnownObject[];
  /** Objects that dexsync deleted. */
  readonly deleted: ReadonlyMap<Guid, Address>;
}

/** The entries of a list after it was reconciled with the ledger. */
export interface ReconciledList extends Listed {
  /** Objects that may or may not exist, and why that is unclear: follows "The list does not show it, and". */
  readonly unproved: ReadonlyMap<LiveIdentity, string>;
}

/** How many missing objects of a kind are read one by one; if there are more, the list is likely incomplete. */
const most = (known: number): number => Math.max(10, Math.ceil(known / 20));

/**
 * Reads by GUID what a list and the ledger disagree about, one request each, announced by `onPrice`. Adds objects that
 * the list omits but that can be read, and drops those that it shows but that are gone; warns about both. Only the
 * codes 3011 and 3012 prove that an object is gone (wire-facts 2.1). Throws ANSWER_UNEXPECTED if too many are missing.
 */
export async function reconcileList(
  kind: Kind,
  listed: Listed,
  { known, deleted }: Recorded,
  reader: Reader,
  onPrice: (requests: number) => void,
): Promise<ReconciledList> {
  const missing = known.length === 0 ? [] : notIn(listed, known);
  const left = deleted.size === 0 ? [] : listed.objects.filter(({ guid }) => deleted.has(String(guid)));
  const displaced = known.length === 0 ? [] : displacedIn(listed, known);
  if (missing.length + left.length + displaced.length === 0) return { ...listed, unproved: new Map() };
  const { path } = collectionOf(reader, kind.collection);
  if (missing.length > most(known.length)) throw tooMany(kind, path, missing, known.length);
  onPrice(missing.filter(({ guid }) => guid !== undefined).length + left.length + displaced.length);
  const limit = pLimit(PARALLEL_READS);
  const readEach = (guids: readonly (Guid | undefined)[]): Promise<readonly Read[]> =>
    Promise.all(guids.map((guid) => limit(() => readByGuid(path, guid, reader))));
  const [found, still, again] = await Promise.all([
    readEach(missing.map(({ guid }) => guid)),
    readEach(left.map(({ guid }) => String(guid))),
    readEach(displaced.map(({ guid }) => String(guid))),
  ]);
  throwUnlessNamedAlike(path, displaced, again);
  const added = sortEntries(reader, path, found.flatMap(bodyOf), objectFault);
  const shown = addressesWhere(found, missing, ({ address }) => address);
  if (shown.length > 0) reader.warn(notListed(path, shown));
  const addressOf = ({ guid }: JsonObject): Address => deleted.get(String(guid)) as Address;
  const undeleted = addressesWhere(still, left, addressOf);
  if (undeleted.length > 0) reader.warn(notDeleted(undeleted));
  const outdated = new Set(left.filter((_, index) => still[index] === 'gone'));
  if (outdated.size > 0) reader.warn(stillListed(path, [...outdated].map(addressOf)));
  return {
    objects: [...listed.objects.filter((body) => !outdated.has(body)), ...added.objects],
    odd: [...listed.odd, ...added.odd],
    unproved: new Map(missing.flatMap((one, index) => unprovedOf(one, found[index] as Read))),
  };
}

function notIn({ objects, odd }: Listed, known: readonly KnownObject[]): KnownObject[] {
  const guids = new Set<Json | undefined>([...objects, ...odd.map(({ body }) => body)].map(({ guid }) => guid));
  const left = known.filter(({ guid }) => guid === undefined || !guids.has(guid));
  if (left.every(({ guid }) => guid !== undefined)) return left;
  const identities = new Set([...guids].map((guid) => identityOf(String(guid))));
  return left.filter(({ identity }) => !identities.has(identity));
}

/** Finds known objects whose name another entry has: two people may have renamed them, or the list is mixed up. */
function displacedIn({ objects }: Listed, known: readonly KnownObject[]): JsonObject[] {
  const names = new Map(known.map(({ guid, address }) => [guid, splitAddress(address).name]));
  const renamed = objects.filter(({ guid, name }) => names.has(String(guid)) && names.get(String(guid)) !== name);
  if (renamed.length === 0) return [];
  const shown = new Set(objects.map(({ name }) => name));
  return renamed.filter(({ guid }) => shown.has(names.get(String(guid)) as string));
}

function throwUnlessNamedAlike(path: string, entries: readonly JsonObject[], read: readonly Read[]): void {
  for (const [index, { guid, name }] of entries.entries())
    for (const body of bodyOf(read[index] as Read))
      if (body.name !== name)
        throw new DexsyncError(
          'ANSWER_UNEXPECTED',
          `The list of GET ${path} gives the object with the GUID ${guid} the name ${quoted(String(name))}; reading it by GUID gives ${quoted(String(body.name))}.`,
          { hint: `Nothing was sent. ${OLD_LISTS} Run the command again.` },
        );
}

/** An object as it was read, that it is gone, or why that is unclear. */
type Read = { readonly body: JsonObject } | 'gone' | { readonly why: string };

async function readByGuid(path: string, guid: Guid | undefined, reader: Reader): Promise<Read> {
  if (guid === undefined) return { why: 'an earlier version of dexsync did not record its GUID' };
  try {
    const body = await reader.get(`${path}/${guid}`);
    return body.guid === guid ? { body } : { why: 'reading it by GUID gives something else' };
  } catch (error) {
    return saysAbsent(error) ? 'gone' : { why: whyNotRead(error) };
  }
}

/** Says why an object was not read; throws failures that are not about it, which end the plan. */
function whyNotRead(error: unknown): string {
  if (saysAbsentOrForbidden(error))
    return 'the service says that it does not exist or that this user may not see it (3024)';
  if (saysNoEndpoint(error)) return 'the service cannot read it by GUID';
  const isAbout = error instanceof ServiceError ? error.status < 500 : hasCode(error, 'ANSWER_UNEXPECTED');
  if (isAbout && !hasCode(error, 'LOGIN_REFUSED') && !hasCode(error, 'QUOTA_EXHAUSTED'))
    return `reading it by GUID failed: ${(error as Error).message.replace(/\.$/, '')}`;
  throw error;
}

const hasCode = (error: unknown, code: DexsyncError['code']): boolean =>
  error instanceof DexsyncError && error.code === code;

const bodyOf = (read: Read): JsonObject[] => (typeof read === 'object' && 'body' in read ? [read.body] : []);

const addressesWhere = <T>(read: readonly Read[], of: readonly T[], addressOf: (one: T) => Address): Address[] =>
  of.filter((_, index) => bodyOf(read[index] as Read).length > 0).map(addressOf);

function unprovedOf({ identity, isSettled }: KnownObject, read: Read): [LiveIdentity, string][] {
  if (read === 'gone')
    return isSettled ? [] : [[identity, 'it was written less than 15 minutes ago: it may appear yet']];
  return 'why' in read ? [[identity, read.why]] : [];
}

const OLD_LISTS = 'A cache, a proxy or a replica may answer with old lists.';

const notListed = (path: string, addresses: readonly Address[]): Diagnostic => ({
  severity: 'warning',
  code: 'list-incomplete',
  message: `The list of GET ${path} does not show ${firstAndMore(addresses)}, which can be read by GUID.`,
  hint: `The plan uses what was read. ${OLD_LISTS}`,
});

const stillListed = (path: string, addresses: readonly Address[]): Diagnostic => ({
  severity: 'warning',
  code: 'list-outdated',
  message: `The list of GET ${path} still shows ${firstAndMore(addresses)}, which dexsync deleted and which can no longer be read.`,
  hint: `The plan leaves it out. ${OLD_LISTS}`,
});

const notDeleted = (addresses: readonly Address[]): Diagnostic => ({
  severity: 'warning',
  code: 'not-deleted',
  message: `The service confirmed the deletion of ${firstAndMore(addresses)}, but still has it.`,
  hint: 'Delete it in the workspace, or describe it in a manifest and adopt it.',
});

function tooMany({ name }: Kind, path: string, missing: readonly KnownObject[], known: number): DexsyncError {
  const addresses = missing.map(({ address }) => address);
  return new DexsyncError(
    'ANSWER_UNEXPECTED',
    `The list of GET ${path} shows ${known - missing.length} of ${known} ${name} objects that the ledger knows; ${firstAndMore(addresses)} are missing.`,
    {
      hint: `Nothing was sent. This user may not be allowed to see them, or a cache, a proxy or a replica answered. If they were deleted, run the command again with \`--gone ${shellWord(String(addresses[0]))}\` for each; \`*\` matches any text.`,
    },
  );
}
