import { DexsyncError } from '../errors.js';
import { isObject, type JsonObject } from '../model/json.js';
import type { Reader } from './client.js';
import { nameOfRequest } from './request-name.js';
import type { Request } from './send.js';

const MOST_RESTARTS = 3;

/**
 * All objects of a list: floor((N-1)/(limit-1))+1 requests for N of them. Pages overlap by one entry; where that entry
 * is another one than before, the list changed under way and is read again from its beginning. Throws SERVICE_ERROR
 * where it keeps changing.
 */
export async function listPages(
  reader: Reader,
  path: string,
  paged: 'yes' | 'no',
  search: Request['query'] = {},
): Promise<JsonObject[]> {
  if (paged === 'no') return listWhole(reader, path, search);
  for (let restart = 0; restart <= MOST_RESTARTS; restart += 1) {
    const all = await readAllPages(reader, path, search);
    if (all !== 'changed') return all;
  }
  throw new DexsyncError(
    'SERVICE_ERROR',
    `${nameOfRequest({ method: 'GET', path })} kept changing while it was read.`,
    {
      hint: 'Someone is changing these objects right now; try again in a moment.',
    },
  );
}

/** A list that is not paged answers all of itself again. */
const isSamePage = (page: readonly JsonObject[], before: readonly JsonObject[]): boolean =>
  page.length === before.length && page.every(({ guid }, index) => guid === before[index]?.guid);

/** A list that comes whole in one answer: it is not paged, since a service that ignores `offset` would give it again and again. */
export const listWhole = async (reader: Reader, path: string, search: Request['query'] = {}): Promise<JsonObject[]> =>
  resultsOf(await reader.get(path, search), path);

/** Whether a list has more objects than that: one request for one object. */
export async function hasMoreThan(
  reader: Reader,
  path: string,
  count: number,
  search: NonNullable<Request['query']> = {},
): Promise<boolean> {
  return resultsOf(await reader.get(path, { ...search, offset: count, limit: 1 }), path).length > 0;
}

async function readAllPages(
  reader: Reader,
  path: string,
  search: NonNullable<Request['query']>,
): Promise<JsonObject[] | 'changed'> {
  const all: JsonObject[] = [];
  for await (const page of eachPage(reader, path, search)) {
    if (page === 'changed') return 'changed';
    all.push(...page);
  }
  return all;
}

/**
 * The objects of a paged list as they come, for lists that memory should not hold. `changed`, always the last: the list
 * changed under way, and what came before is not all of it.
 */
export async function* eachPage(
  reader: Reader,
  path: string,
  search: NonNullable<Request['query']>,
): AsyncGenerator<readonly JsonObject[] | 'changed', void> {
  const limit = reader.profile.pageLimit;
  let count = 0;
  let previous: readonly JsonObject[] = [];
  for (;;) {
    const page = resultsOf(await reader.get(path, { ...search, offset: Math.max(0, count - 1), limit }), path);
    const last = previous.at(-1);
    if (last !== undefined && page[0]?.guid !== last.guid) {
      if (!(count === previous.length && isSamePage(page, previous))) yield 'changed';
      return;
    }
    const added = last === undefined ? page : page.slice(1);
    yield added;
    count += added.length;
    previous = page;
    if (page.length !== limit) return;
  }
}

function resultsOf({ results: entries }: JsonObject, path: string): JsonObject[] {
  if (Array.isArray(entries) && entries.every(isObject)) return entries;
  throw new DexsyncError(
    'ANSWER_UNEXPECTED',
    `${nameOfRequest({ method: 'GET', path })} was answered without the list "results".`,
    {
      hint: 'Check the `profile` of this environment.',
    },
  );
}
