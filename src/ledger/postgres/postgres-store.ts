import { DexsyncError } from '#base/errors.js';
import { lastLink } from '../chain.js';
import { journalNumber } from '../journal-name.js';
import type { HeadStore, JournalStore, WholeJournal } from '../journal-store.js';
import { journalWriter } from '../journal-writer.js';
import type { Database } from './database.js';

/** Allows a write while this process has all leases that it took; their rows stay locked until it is done. */
const FENCE = `fence as (select token from dexsync_lease where token = any($1) for share),
  allowed as (select 1 where (select count(*) from fence) = cardinality($1::text[]))`;

/** What a store of journals in a database needs. */
export interface PostgresStoreOptions {
  readonly database: Database;
  readonly workspace: string;
  /** The tokens of the leases of this process. */
  readonly held: ReadonlySet<string>;
  readonly mayWrite: () => Promise<void>;
  readonly machine: HeadStore | undefined;
}

/** Keeps journals as rows of a database, which many workspaces share. */
export function postgresStore(options: PostgresStoreOptions): JournalStore {
  const rows = rowsOf(options);
  return {
    workspace: options.workspace,
    head: headStore(rows, options),
    place: placeOf,
    names: () => rows.names(''),
    recent: () => rows.names(' and not aside'),
    read: rows.read,
    async create(name, pieces) {
      await rows.put([{ name, text: [...pieces].join('') }]);
      return journalWriter({ write: (lines, number) => rows.write(APPEND, name, number, lines, lastLink(lines)) });
    },
    putWhole: rows.put,
    putAside: (names) => rows.write(PUT_ASIDE, names),
    async snapshot() {
      const [row] = await rows.ask<{ body: string }>('select body from dexsync_snapshot where workspace = $1');
      return row?.body;
    },
    saveSnapshot: (parts) => rows.write(SAVE, [...parts].join('')),
  };
}

function headStore(rows: ReturnType<typeof rowsOf>, { database, workspace, machine }: PostgresStoreOptions): HeadStore {
  return {
    async read() {
      const sql = "select journal, chain from dexsync_head where workspace = $1 and journal <> ''";
      const heads = await rows.ask<{ journal: string; chain: string }>(sql);
      const own = heads.map((row) => ({ workspace, applies: journalNumber(row.journal), ...row }));
      return [...own, ...((await machine?.read()) ?? [])];
    },
    // The database stores its head together with the journal.
    write: async (head) => machine?.write(head),
    async forget() {
      await rows.write(FORGET);
      await machine?.forget();
    },
    wayBack: async () => `Restore its rows from a backup of ${database.place}`,
  };
}

/** The statements about one workspace. */
function rowsOf({ database, workspace, held, mayWrite }: PostgresStoreOptions) {
  /** In `sql`, $1 is the workspace. */
  const ask = <Row extends object>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> =>
    database.query<Row>(sql, [workspace, ...values]);
  /** `sql` continues the fence: $1 are the tokens, $2 the workspace; it returns a row if the fence allowed it. */
  const write = async (sql: string, ...values: readonly unknown[]): Promise<void> => {
    await mayWrite();
    const tokens = [...held];
    const rows = await database.query(`with ${FENCE}, ${sql}`, [tokens, workspace, ...values]);
    if (rows.length > 0) return;
    // A lease for another workspace may just have been released by its own holder.
    if (tokens.every((token) => held.has(token))) throw fenced();
    await write(sql, ...values);
  };
  const names = async (condition: string): Promise<string[]> => {
    const sql = `select name from dexsync_journal where workspace = $1${condition} order by name`;
    return (await ask<{ name: string }>(sql)).map(({ name }) => name);
  };
  const read = async (name: string): Promise<string> => {
    const sql = 'select lines from dexsync_part where workspace = $1 and name = $2 order by number';
    const rows = await ask<{ lines: string }>(sql, name);
    if (rows.length === 0) throw missing(name);
    return rows.map(({ lines }) => lines).join('');
  };
  const put = async (journals: readonly WholeJournal[]): Promise<void> => {
    const [given, texts] = [journals.map(({ name }) => name), journals.map(({ text }) => text)];
    const last = journals.at(-1);
    if (last === undefined) return;
    await write(PUT, given, texts, last.name, lastLink(last.text));
    // Existing journals were not changed; after a lost answer they are the ones that were sent.
    for (const { name, text } of journals) {
      if ((await read(name)) !== text) throw new DexsyncError('LEDGER_DAMAGED', `${placeOf(name)} is there already.`);
    }
  };
  return { ask, write, names, read, put };
}

/** Moves the head with the write that makes it true, and never back. */
const headed = (from: string, journal: string, chain: string): string =>
  `headed as (insert into dexsync_head (workspace, journal, chain) select $2, ${journal}, ${chain} from ${from}
    on conflict (workspace) do update set journal = excluded.journal, chain = excluded.chain
      where excluded.journal >= dexsync_head.journal)`;
const FORGET = `forgot as (update dexsync_head set journal = '', chain = ''
    where workspace = $2 and exists (select from allowed))
  select 1 from allowed`;
/** Each returns a row if the fence allowed it, whether or not an earlier attempt had already written. */
const PUT = `given as (select * from unnest($3::text[], $4::text[]) as given (name, body)),
  made as (insert into dexsync_journal (workspace, name) select $2, name from given, allowed on conflict do nothing returning name),
  filled as (insert into dexsync_part (workspace, name, number, lines)
    select $2, name, 0, body from given where name in (select name from made)),
  ${headed('made where name = $5', '$5', '$6')}
  select 1 from allowed`;
const APPEND = `added as (insert into dexsync_part (workspace, name, number, lines) select $2, $3, $4, $5 from allowed
    on conflict (workspace, name, number) do nothing returning name),
  ${headed('added', '$3', '$6')}
  select 1 from allowed`;
const PUT_ASIDE = `moved as (update dexsync_journal set aside = true
    where workspace = $2 and name = any($3) and exists (select from allowed))
  select 1 from allowed`;
const SAVE = `saved as (insert into dexsync_snapshot (workspace, body) select $2, $3 from allowed
    on conflict (workspace) do update set body = excluded.body)
  select 1 from allowed`;

const placeOf = (name: string): string => `${name} of the ledger's database`;

const missing = (name: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `The ledger's database has no journal ${name}.`);

/** Does not name the new holder: `mayWrite` does, and the lease was lost between that and the write. */
const fenced = (): DexsyncError =>
  new DexsyncError('LEASE_LOST', 'The lock was lost while the ledger was written, so nothing was written to it.', {
    hint: 'Repeat the command when no other dexsync works in this environment: steps that are done are not repeated.',
  });
