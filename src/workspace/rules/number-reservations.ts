import { type Category, categoryList } from '../store/item-settings.js';
import { advanceSequence, type NumberFormat } from '../store/number-formats.js';
import {
  deleteReservation,
  holderOf,
  insertReservation,
  type NumberReservation,
  reservationList,
} from '../store/number-reservations.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './chance.js';
import { zulu } from './date-times.js';
import { findNumberFormat, numberFrom, sequenceOf } from './number-formats.js';
import { parseFlag, parseWholeSearch, type Query } from './search.js';
import { refuse, ServiceError } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

/** Exactly one of `itemNumbers` and `quantity` says which numbers are kept (wire-facts 0, "number reservations"). */
interface ReservationBody {
  readonly name: string;
  readonly category: { readonly guid: string };
  readonly itemNumbers?: readonly string[];
  readonly quantity?: number;
}

/** A reservation without its numbers unless they were asked for. */
export type ListedReservation = Omit<NumberReservation, 'itemNumbers'> & { readonly itemNumbers?: readonly string[] };

export const RESERVATION_SEARCH = { name: 'text', 'category.guid': 'text' } as const;
export const RESERVATION_FLAGS = ['includeitemnumbers'] as const;

const LONGEST = 200;

/** Digits of a sequence that a number can count exactly. */
const MOST_DIGITS = 15;

export function listReservations(workspace: Workspace, query: Query): ListedReservation[] {
  const { includeitemnumbers, ...rest } = query;
  const whole = parseFlag({ includeitemnumbers }, 'includeitemnumbers', true);
  const found = selectPage(workspace.settings, reservationList, parseWholeSearch(rest, RESERVATION_SEARCH));
  return whole ? found : found.map(({ itemNumbers: _, ...reservation }) => reservation);
}

export function findReservation(workspace: Workspace, guid: string): NumberReservation {
  const condition = { sql: 'r.guid = ?', values: [guid] };
  const found = isGuid(guid) && selectOne(workspace.settings, reservationList, condition);
  if (!found) throw refuse.guid(guid);
  return found;
}

/**
 * Keeps numbers for items to come. Whoever creates an item, by import for example, may use them; a used number stays
 * listed (wire-facts 0, "number reservation names").
 */
export function createReservation(workspace: Workspace, caller: Caller, body: ReservationBody): NumberReservation {
  const { name, itemNumbers, quantity } = body;
  checkName(workspace, name);
  const category = itemCategory(workspace, body.category.guid);
  if (itemNumbers === undefined && quantity === undefined) throw refuse.required('itemNumbers');
  if (itemNumbers !== undefined && quantity !== undefined) {
    throw refuse.invalid('quantity', 'a reservation has either itemNumbers or a quantity.');
  }
  const numbers = itemNumbers
    ? checkedNumbers(workspace, itemNumbers)
    : nextNumbers(workspace, category, quantity ?? 0);
  const guid = workspace.chance.guid();
  const reservation = { guid, name, category: category.guid, itemNumbers: numbers };
  insertReservation(workspace.settings, reservation, caller.guid, zulu(workspace.clock()));
  return findReservation(workspace, guid);
}

/** Releases the numbers that no item uses. A sequence does not give them out again. */
export function releaseReservation(workspace: Workspace, guid: string): void {
  findReservation(workspace, guid);
  deleteReservation(workspace.settings, guid);
}

function checkName(workspace: Workspace, name: string): void {
  if (name.trim() === '') throw refuse.empty('name');
  if (selectOne(workspace.settings, reservationList, { sql: 'r.name = ?', values: [name] })) {
    throw refuse.invalid('name', `a number reservation named "${name}" exists already.`);
  }
}

function itemCategory(workspace: Workspace, guid: string): Category {
  const condition = { sql: "guid = ? AND world = 'ITEMS'", values: [guid] };
  const category = selectOne(workspace.settings, categoryList, condition);
  if (!category) throw new ServiceError({ code: 3002, message: `The category GUID "${guid}" is not valid.` });
  if (!category.structural) return category;
  throw new ServiceError({ code: 3007, message: `No item can be in the category "${category.name}".` });
}

function checkedNumbers(workspace: Workspace, numbers: readonly string[]): readonly string[] {
  if (numbers.length === 0) throw refuse.empty('itemNumbers');
  const seen = new Set<string>();
  for (const number of numbers) {
    if (number.trim() === '') throw refuse.empty('itemNumbers');
    if (number.length > LONGEST) {
      const message = `"itemNumbers" takes ${LONGEST} characters at most, not ${number.length}.`;
      throw new ServiceError({ code: 3101, message });
    }
    const holder = seen.has(number) ? 'reservation' : holderOf(workspace.settings, number);
    if (holder) throw new ServiceError({ code: 3025, message: `The number "${number}" is held by another ${holder}.` });
    seen.add(number);
  }
  return numbers;
}

/** The next numbers of a category's sequence that nobody holds; what it passes is never given out again. */
function nextNumbers(workspace: Workspace, category: Category, quantity: number): readonly string[] {
  const format = sequencedFormat(workspace, category);
  const last = 10 ** Math.min(sequenceOf(format)?.maxLength ?? 0, MOST_DIGITS) - 1;
  const numbers: string[] = [];
  let position = format.taken;
  while (numbers.length < quantity) {
    position += 1;
    if (position > last) {
      throw new ServiceError({ code: 3015, message: `The number format "${format.name}" ends at ${last}.` });
    }
    const number = numberFrom(format, position);
    if (holderOf(workspace.settings, number) === undefined) numbers.push(number);
  }
  advanceSequence(workspace.settings, format.guid, position);
  return numbers;
}

function sequencedFormat(workspace: Workspace, { name, numberFormat }: Category): NumberFormat {
  if (numberFormat === null) {
    throw new ServiceError({ code: 3214, message: `The category "${name}" has no number format.` });
  }
  const format = findNumberFormat(workspace, numberFormat);
  if (sequenceOf(format)) return format;
  throw new ServiceError({ code: 3207, message: `The number format of the category "${name}" has no sequence.` });
}
