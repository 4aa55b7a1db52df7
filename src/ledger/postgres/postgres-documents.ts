import { naturalOrder } from '#base/natural-order.js';
import type { DocumentStore, Shelf } from '../document-store.js';
import type { Database } from './database.js';

/**
 * Keeps documents as rows of a database, of all shelves in the tables that saved plans and their reviews had first.
 * Repeating a statement after a lost answer changes nothing.
 */
export function postgresDocuments(database: Database, { stack, environment, taken, missing }: Shelf): DocumentStore {
  const ask = <Row extends object>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> =>
    database.query<Row>(sql, [stack, environment, ...values]);
  const textOf = async (name: string): Promise<string | undefined> =>
    (await ask<{ body: string }>(`select body from dexsync_plan where ${ONE}`, name))[0]?.body;
  return {
    async names() {
      const sql = 'select name from dexsync_plan where stack = $1 and environment = $2';
      return (await ask<{ name: string }>(sql)).map(({ name }) => name).sort(naturalOrder);
    },
    async read(name) {
      const text = await textOf(name);
      if (text === undefined) return undefined;
      const rows = await ask<{ body: string }>(`select body from dexsync_review where ${ONE} order by number`, name);
      return { text, notes: rows.map(({ body }) => body) };
    },
    async add(name, text) {
      await ask(ADD, name, text);
      if ((await textOf(name)) !== text) throw taken(name);
    },
    async addNote(name, note) {
      const found = await ask(ADD_NOTE, name, note);
      if (found.length === 0) throw missing(name);
    },
    async remove(name) {
      await ask(`delete from dexsync_plan where ${ONE}`, name);
    },
  };
}

const ONE = 'stack = $1 and environment = $2 and name = $3';

const ADD = 'insert into dexsync_plan (stack, environment, name, body) values ($1, $2, $3, $4) on conflict do nothing';

/** Returns a row if the document exists, whether or not an earlier attempt had already added the note. */
const ADD_NOTE = `with added as (insert into dexsync_review (stack, environment, name, body)
    select stack, environment, name, $4 from dexsync_plan where ${ONE}
      and not exists (select from dexsync_review where ${ONE} and body = $4))
  select 1 from dexsync_plan where ${ONE}`;
