import { DexsyncError } from '#base/errors.js';
import { quoted } from '#base/printable.js';
import { isObject, type Json, type JsonObject, sameJson } from '#core/model/json.js';
import type { Reader } from './client.js';
import { collectionOf } from './collection.js';
import { nameOfRequest } from './request-name.js';
import type { Request } from './send.js';

const MOST_RESTARTS = 3;
/** Requests for one list, enough for almost 200,000 entries: a longer list is more likely one without an end. */
const MOST_PAGES = 500;

/**
 * Lists all entries, of any type: floor((N-1)/(limit-1))+1 requests for N of them. Pages overlap by one entry; if that
 * entry is another one than before, the list changed meanwhile and is read again from its beginning. Throws
 * SERVICE_ERROR if it keeps changing, and ANSWER_UNEXPECTED for an answer without a list.
 */
export async function listEntries(
  reader: Reader,
  path: string,
  how: 'paged' | 'whole',
  search: Request['query'] = {},
): Promise<readonly Json[]> {
  if (how === 'whole') return eachOnce(await readWhole(reader, path, search), path);
  for (let restart = 0; restart <= MOST_RESTARTS; restart += 1) {
    const all = await readAllPages(reader, path, search);
    if (all !== 'changed') return eachOnce(all, path);
  }
  throw new DexsyncError(
    'SERVICE_ERROR',
    `${nameOfRequest({ method: 'GET', path })} kept changing while it was read.`,
    {
      hint: 'Someone is changing these objects right now; try again in a moment.',
    },
  );
}

async function readWhole(reader: Reader, path: string, search: Request['query']): Promise<readonly Json[]> {
  const entries = (answer: JsonObject): readonly Json[] => entriesOf(answer, path);
  const first = await reader.get(path, search);
  if (!saysMore(first, entries(first).length)) return entries(first);
  const second = await reader.get(path, search);
  if (saysMore(second, entries(second).length)) throw tooFew(path, second, entries(second).length);
  return entries(second);
}

/** Whether `count` exceeds the given entries: in any case, the list is incomplete then (wire-facts 3). */
const saysMore = ({ count }: JsonObject, given: number): boolean => typeof count === 'number' && count > given;

const tooFew = (path: string, { count }: JsonObject, given: number): DexsyncError =>
  contradiction(path, `counts ${typeof count === 'number' ? count : 'more'} entries and gives ${given}`);

/** Removes repeated entries. One GUID with two contents is a contradiction: nobody knows which of them is current. */
function eachOnce(entries: readonly Json[], path: string): readonly Json[] {
  const byGuid = new Map<string, Json>();
  return entries.filter((entry) => {
    const guid = guidOf(entry);
    if (typeof guid !== 'string') return true;
    const before = byGuid.get(guid);
    byGuid.set(guid, entry);
    if (before !== undefined && !sameJson(before, entry))
      throw contradiction(path, `has ${calledIn(before)} and ${calledIn(entry)} under one GUID`);
    return before === undefined;
  });
}

const calledIn = (entry: Json): string => {
  const { name, fullName, number } = isObject(entry) ? entry : {};
  const called = [name, fullName, number].find((text) => typeof text === 'string' || typeof text === 'number');
  return called === undefined ? 'an entry without a name' : quoted(String(called));
};

const endless = (path: string, entries: number): DexsyncError =>
  contradiction(path, `still goes on after ${MOST_PAGES} requests and ${entries} entries, the most that dexsync reads`);

const contradiction = (path: string, what: string): DexsyncError =>
  new DexsyncError('ANSWER_UNEXPECTED', `The list of ${nameOfRequest({ method: 'GET', path })} ${what}.`, {
    hint: 'Nothing was sent. A cache or a proxy may have answered; repeat the command, and look at the answers with `--trace`.',
  });

/** Lists all entries, each of which must be an object. */
export const listPages = async (...list: Parameters<typeof listEntries>): Promise<readonly JsonObject[]> =>
  objectsOf(await listEntries(...list), list[1]);

/** Returns how many requests it takes to read a collection with a number of objects. */
export function requestsOfList(reader: Pick<Reader, 'profile'>, collection: string, objects: number): number {
  const { paged } = collectionOf(reader, collection);
  return !paged ? 1 : Math.floor(Math.max(0, objects - 1) / (reader.profile.pageLimit - 1)) + 1;
}

/** Whether a page repeats the one before: a list without paging returns all of itself again. */
const isSamePage = (page: readonly Json[], before: readonly Json[]): boolean =>
  page.length === before.length && page.every((entry, index) => isSameEntry(entry, before[index]));

/** Rejects a repeated page of full size: the list most likely continues, and the service ignored the offset. */
function refuseFullPage({ length }: readonly Json[], limit: number, path: string): void {
  if (length === limit) throw contradiction(path, `gives its first ${limit} entries again instead of those after them`);
}

/** Whether two entries are one object, even if its other fields changed. */
const isSameEntry = (entry: Json | undefined, before: Json | undefined): boolean =>
  sameJson(guidOf(entry), guidOf(before));

const guidOf = (entry: Json | undefined): Json => (isObject(entry) ? (entry.guid ?? null) : null);

/** Lists what comes in one answer, without paging: a service that ignores `offset` would repeat it again and again. */
export const listWhole = (
  reader: Reader,
  path: string,
  search: Request['query'] = {},
): Promise<readonly JsonObject[]> => listPages(reader, path, 'whole', search);

/** Whether a list has more than `count` objects: one request for one object. */
export async function hasMoreThan(
  reader: Reader,
  path: string,
  count: number,
  search: NonNullable<Request['query']> = {},
): Promise<boolean> {
  return entriesOf(await reader.get(path, { ...search, offset: count, limit: 1 }), path).length > 0;
}

async function readAllPages(
  reader: Reader,
  path: string,
  search: NonNullable<Request['query']>,
): Promise<Json[] | 'changed'> {
  const all: Json[] = [];
  let pages = 0;
  for await (const page of eachPageOfEntries(reader, path, search)) {
    if (page === 'changed') return 'changed';
    pages += 1;
    if (pages > MOST_PAGES) throw endless(path, all.length);
    all.push(...page);
  }
  return all;
}

/**
 * Yields the objects of a paged list, for lists that memory should not hold. A last `changed` means that the list
 * changed meanwhile, and that what came before is incomplete.
 */
export async function* eachPage(
  reader: Reader,
  path: string,
  search: NonNullable<Request['query']>,
): AsyncGenerator<readonly JsonObject[] | 'changed', void> {
  for await (const page of eachPageOfEntries(reader, path, search))
    yield page === 'changed' ? page : objectsOf(page, path);
}

async function* eachPageOfEntries(
  reader: Reader,
  path: string,
  search: NonNullable<Request['query']>,
): AsyncGenerator<readonly Json[] | 'changed', void> {
  const limit = reader.profile.pageLimit;
  let count = 0;
  let previous: readonly Json[] = [];
  let isOver = false;
  for (;;) {
    const answer = await reader.get(path, { ...search, offset: Math.max(0, count - 1), limit });
    const page = entriesOf(answer, path);
    const added = addedBy(page, previous);
    if (isOver && (page.length === 0 || added?.length === 0)) throw tooFew(path, answer, count);
    if (added === undefined) {
      const isWhole = count === previous.length && isSamePage(page, previous);
      if (isWhole) refuseFullPage(page, limit, path);
      else yield 'changed';
      return;
    }
    yield added;
    count += added.length;
    previous = page;
    isOver = page.length !== limit;
    if (isOver && !saysMore(answer, count)) return;
  }
}

/** Returns a page without the entry that it shares with the one before; undefined if it does not share it. */
function addedBy(page: readonly Json[], previous: readonly Json[]): readonly Json[] | undefined {
  const last = previous.at(-1);
  if (last === undefined) return page;
  return page.length > 0 && isSameEntry(page[0], last) ? page.slice(1) : undefined;
}

function entriesOf({ results: entries }: JsonObject, path: string): readonly Json[] {
  if (Array.isArray(entries)) return entries;
  throw notListed(path);
}

function objectsOf(entries: readonly Json[], path: string): readonly JsonObject[] {
  if (entries.every(isObject)) return entries;
  throw notListed(path);
}

const notListed = (path: string): DexsyncError =>
  new DexsyncError(
    'ANSWER_UNEXPECTED',
    `${nameOfRequest({ method: 'GET', path })} was answered without the list "results".`,
    {
      hint: 'Check the `profile` of this environment.',
    },
  );
