import { family } from '../family/family.js';
import type { RecordOf, WriteRequest } from '../family/field.js';
import { findRecord } from '../family/records.js';
import { reference, values } from '../family/reference-fields.js';
import { creationTime, creator } from '../family/stamp-fields.js';
import { name } from '../family/text-fields.js';
import { onDemand, unique } from '../family/traits.js';
import { Type } from '../routes/type.js';
import { refuse, ServiceError } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Database } from '../store/database.js';
import { type Category, categoryList } from '../store/item-settings.js';
import { selectOne } from '../store/select.js';
import { advanceSequence, findSequence, type NumberFormat, numberFormats, numberFrom } from './number-formats.js';

/** The most numbers that one request takes from a sequence; no source shows a limit. */
const MOST = 10_000;

/** The most characters of an item number. */
export const LONGEST = 200;

/** The most digits of a sequence that a number can count exactly. */
const MOST_DIGITS = 15;

const fields = {
  name: unique(name(), 'a number reservation'),
  category: reference({ table: 'categories', shows: ['name'] }),
  /** All numbers, including those in use (wire-facts 0, "number reservation names"). */
  itemNumbers: onDemand('includeitemnumbers', values('reserved_numbers')),
  creationDateTime: creationTime(),
  creator: creator(),
};

/**
 * Numbers that are reserved for future items (wire-facts 0 and 7). Anyone who creates an item, by import for example,
 * may use them. Deleting a reservation releases its unused numbers; a sequence does not issue them again.
 */
export const numberReservations = family({
  path: '/settings/items/numberreservations',
  one: 'a number reservation',
  many: 'number reservations',
  table: 'number_reservations',
  capability: 'numberReservations',
  imported: true,
  fields,
  given: { quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST })) },
  search: { name: 'text', 'category.guid': 'text' },
  summaries: { create: 'Reserve numbers', delete: 'Release the numbers of a reservation' },
  check: withNumbers,
});

type Reservation = RecordOf<typeof fields>;

/** Reserves numbers by exactly one of `itemNumbers` and `quantity` (wire-facts 0, "number reservations"). */
function withNumbers(reservation: Reservation, { workspace, body }: WriteRequest): Reservation {
  const { itemNumbers, quantity } = body as Partial<Pick<Reservation, 'itemNumbers'>> & { readonly quantity?: number };
  const category = itemCategory(workspace, reservation.category);
  if (itemNumbers === undefined && quantity === undefined) throw refuse.required('itemNumbers');
  if (itemNumbers !== undefined && quantity !== undefined) {
    throw refuse.invalid('quantity', 'a reservation has either itemNumbers or a quantity.');
  }
  const numbers = itemNumbers
    ? checkedNumbers(workspace, itemNumbers)
    : nextNumbers(workspace, sequencedFormat(workspace, category), quantity ?? 0);
  return { ...reservation, itemNumbers: numbers };
}

/** The category that a request names for items; refuses an unknown one with 3002, a structural one with 3007. */
export function itemCategory(workspace: Workspace, guid: string): Category {
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
    const holder = seen.has(number) ? 'reservation' : keeperOf(workspace.settings, number);
    if (holder) throw new ServiceError({ code: 3025, message: `The number "${number}" is held by another ${holder}.` });
    seen.add(number);
  }
  return numbers;
}

/** The number at a position of a format's sequence; refuses with 3015 one behind its end. */
export function numberAt(format: NumberFormat, position: number): string {
  const last = 10 ** Math.min(findSequence(format)?.maxLength ?? 0, MOST_DIGITS) - 1;
  if (position <= last) return numberFrom(format, position);
  throw new ServiceError({ code: 3015, message: `The number format "${format.name}" ends at ${last}.` });
}

/** Takes the next free numbers of a format's sequence; the numbers that it skips are never issued again. */
export function nextNumbers(workspace: Workspace, format: NumberFormat, quantity: number): readonly string[] {
  const numbers: string[] = [];
  let position = format.taken;
  while (numbers.length < quantity) {
    position += 1;
    const number = numberAt(format, position);
    if (keeperOf(workspace.settings, number) === undefined) numbers.push(number);
  }
  advanceSequence(workspace.settings, format.guid, position);
  return numbers;
}

function sequencedFormat(workspace: Workspace, { name, numberFormat }: Category): NumberFormat {
  if (numberFormat === null) {
    throw new ServiceError({ code: 3214, message: `The category "${name}" has no number format.` });
  }
  const format = findRecord(workspace, numberFormats, numberFormat);
  if (findSequence(format)) return format;
  throw new ServiceError({ code: 3207, message: `The number format of the category "${name}" has no sequence.` });
}

/** Finds the holder of a number: an item, a reservation, or nobody. */
function keeperOf(database: Database, number: string): 'item' | 'reservation' | undefined {
  if (database.get('SELECT 1 FROM reserved_numbers WHERE value = ?', number)) return 'reservation';
  return hasNumber(database, number) ? 'item' : undefined;
}

/** Whether an item has exactly this number. */
export function hasNumber(database: Database, number: string): boolean {
  const sql = 'SELECT 1 FROM items WHERE number = ? COLLATE NOCASE AND number = ? LIMIT 1';
  return database.get(sql, number, number) !== undefined;
}
