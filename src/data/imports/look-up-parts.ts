import { throwIfInterrupted } from '#base/errors.js';
import { isObject, type JsonObject } from '#core/model/json.js';
import type { Connection } from '#project/connection/connection.js';
import { openRecordReads, type RecordReads } from '#service/record-reads.js';
import type { KnownParts } from '../bulk/inspect/known-items.js';
import { foldNumber, type KnownPart } from '../bulk/inspect/match-parts.js';
import { readItems } from './preview/read-items.js';
import { supplierNames } from './preview/records/supplier-names.js';
import { type RequestBudget, smallBudget } from './preview/request-budget.js';

type Workspace = Pick<Connection, 'client' | 'environment' | 'previewRequests' | 'keepRequests'>;

/**
 * Looks up makers' numbers, each once: supplier items with these numbers, then the items that have them as sources
 * (wire-facts 8.4). Searches find other letter case, and pages of all supplier items other punctuation too. What the
 * requests do not suffice for is left unread.
 */
export async function lookUpParts(
  numbers: readonly string[],
  workspace: Workspace,
  signal: AbortSignal,
): Promise<KnownParts> {
  const { client: reader, environment } = workspace;
  const budget = smallBudget(workspace, 'inspect');
  const reads = openRecordReads(reader);
  const { found, unread, why = budget.over } = await findParts(numbers, { reads, budget, signal });
  const nameOf = supplierNames(reads);
  const parts: KnownPart[] = [];
  const left = new Set<string>();
  for (const item of found) {
    throwIfInterrupted(signal, 'looking up parts');
    const number = String(item.number);
    if (budget.left() < MOST_EACH) left.add(foldNumber(number));
    else parts.push({ maker: (await nameOf(item.supplier)) ?? '', number, items: await itemsWith(item, reads) });
  }
  const over = numbers.filter((number) => left.has(foldNumber(number)));
  return { environment, requests: budget.spent(), parts, unread: [...unread, ...over], why };
}

/** The most requests for one part: its supplier, and a page of its sourcing. */
const MOST_EACH = 2;

interface Looking {
  readonly reads: RecordReads;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
}

/** Finds supplier items by pages of all of them, or else by a search for each number that the budget allows. */
async function findParts(numbers: readonly string[], { reads, budget, signal }: Looking) {
  const wanted = new Set(numbers.map(foldNumber));
  const searched = numbers.slice(0, Math.max(1, Math.floor(budget.left() / 2)));
  let found: JsonObject[] = [];
  const read = await readItems({
    ...{ what: 'supplier items', groups: searched.map((number) => [number]), reads: reads.supplierItems },
    ...{ budget, signal, fold: foldNumber, onRead: () => undefined },
    restart: () => {
      found = [];
    },
    add: (item) => {
      if (wanted.has(foldNumber(String(item.number)))) found.push(item);
    },
  });
  if ('why' in read) return { found: [], unread: numbers, why: read.why };
  return { found, unread: read.by === 'pages' ? [] : numbers.slice(searched.length) };
}

/** The numbers of the items that have a part as a source, apart from revisions that are past. */
async function itemsWith({ guid }: JsonObject, reads: RecordReads): Promise<string[]> {
  const relations = await reads.sourcingOfSupplierItem(String(guid));
  const numbers = relations.flatMap(({ item }) => {
    const isCurrent = isObject(item) && item.revisionStatus !== 'SUPERSEDED';
    return isCurrent && typeof item.number === 'string' ? [item.number] : [];
  });
  return [...new Set(numbers)];
}
