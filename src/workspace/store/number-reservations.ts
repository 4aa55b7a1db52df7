import type { Database } from './database.js';
import type { Row } from './driver.js';
import { type List, text } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

/** Numbers that are kept for items to come (wire-facts 7, "Number reservations"). */
export interface NumberReservation {
  readonly guid: string;
  readonly name: string;
  readonly category: { readonly guid: string; readonly name: string };
  /** The used ones too (wire-facts 0, "number reservation names"). */
  readonly itemNumbers: readonly string[];
  readonly creationDateTime: string;
  readonly creator: Person;
}

export const reservationList: List<NumberReservation> = {
  select: `SELECT r.*, k.name AS category_name, ${personColumns('c')},
    (SELECT json_group_array(n.value) FROM
      (SELECT value FROM reserved_numbers WHERE owner = r.guid ORDER BY seq) n) AS numbers
    FROM number_reservations r JOIN categories k ON k.guid = r.category JOIN users c ON c.guid = r.creator`,
  columns: { name: 'r.name', 'category.guid': 'r.category' },
  order: 'r.seq',
  read: (row: Row) => ({
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    category: { guid: text(row, 'category'), name: text(row, 'category_name') },
    itemNumbers: JSON.parse(text(row, 'numbers')) as string[],
    creationDateTime: text(row, 'created'),
    creator: readPerson(row, 'c'),
  }),
};

interface NewReservation {
  readonly guid: string;
  readonly name: string;
  readonly category: string;
  readonly itemNumbers: readonly string[];
}

export function insertReservation(database: Database, reservation: NewReservation, by: string, at: string): void {
  const { guid, name, category, itemNumbers } = reservation;
  database.run(
    'INSERT INTO number_reservations (guid, name, category, created, creator) VALUES (?, ?, ?, ?, ?)',
    guid,
    name,
    category,
    at,
    by,
  );
  for (const number of itemNumbers) {
    database.run('INSERT INTO reserved_numbers (value, owner) VALUES (?, ?)', number, guid);
  }
}

export function deleteReservation(database: Database, guid: string): void {
  database.run('DELETE FROM number_reservations WHERE guid = ?', guid);
}

/** Who holds a number: an item, a reservation, or nobody. */
export function holderOf(database: Database, number: string): 'item' | 'reservation' | undefined {
  if (database.get('SELECT 1 FROM reserved_numbers WHERE value = ?', number)) return 'reservation';
  const sql = 'SELECT 1 FROM items WHERE number = ? COLLATE NOCASE AND number = ? LIMIT 1';
  return database.get(sql, number, number) ? 'item' : undefined;
}
