import { setTimeout as sleep } from 'node:timers/promises';
import { isHolder } from '../holder.js';
import type { DamagedLease, FoundLease, Holder, Lease, LeaseKey, Leases } from '../lease.js';
import { BEAT_EVERY, fateOfHolder, judgeLease, type LeaseTiming, lostLease, newHolder } from '../lease-life.js';
import type { Database } from './database.js';

/** A row of the leases; only the server's clock decides how old it is. */
interface Row {
  readonly key: string;
  readonly token: string;
  readonly holder: string;
  readonly beat_at: Date;
  readonly silent: number;
}

const COLUMNS =
  'key, token, holder, beat_at, (extract(epoch from clock_timestamp() - beat_at) * 1000)::float8 as silent';

/** Keeps leases as rows: the server decides who was first and dates heartbeats. `held`: the tokens of this process. */
export function postgresLeases(database: Database, held: Set<string>, timing: LeaseTiming): Leases {
  const find = async ({ service, ...key }: LeaseKey): Promise<FoundLease | undefined> => {
    const sql = `select ${COLUMNS} from dexsync_lease where service = $1 and key = $2`;
    const [row] = await database.query<Row>(sql, [service, keyOf(key)]);
    return row === undefined ? undefined : readRow(row, timing);
  };
  return {
    async take(claim) {
      const holder = await newHolder(claim, timing);
      for (;;) {
        const by = await find(claim);
        if (by?.holder.token === holder.token) break;
        if (by?.state === 'held') return { is: 'held', by };
        if (await place(holder, by, database)) break;
        await sleep(5);
      }
      held.add(holder.token);
      return { is: 'taken', lease: holdLease(holder, { database, held, timing, find: () => find(claim) }) };
    },
    find,
    async list(service) {
      const rows = await database.query<Row>(`select ${COLUMNS} from dexsync_lease where service = $1`, [service]);
      return Promise.all(rows.map((row) => readRow(row, timing).catch(() => damaged(row))));
    },
    async remove(place) {
      if (place.startsWith(PLACE)) await drop(database, place.slice(PLACE.length));
    },
  };
}

const PLACE = 'postgres:';

const keyOf = ({ login, workspace }: Omit<LeaseKey, 'service'>): string =>
  workspace === undefined ? `login ${login.trim().toLowerCase()}` : `workspace ${workspace}`;

/** Places a lease and returns whether it succeeded: one process may insert it, or replace the row that was seen. */
async function place(holder: Holder, seen: FoundLease | undefined, database: Database): Promise<boolean> {
  const values = [holder.service, keyOf(holder), holder.token, JSON.stringify(holder)];
  const rows =
    seen === undefined
      ? await database.query(
          'insert into dexsync_lease (service, key, token, holder) values ($1, $2, $3, $4) on conflict do nothing returning 1',
          values,
        )
      : await database.query(
          `update dexsync_lease set token = $3, holder = $4, beat_at = clock_timestamp()
           where service = $1 and key = $2 and token = $5
             and ($6 or beat_at + make_interval(secs => $7) < clock_timestamp()) returning 1`,
          [...values, seen.holder.token, seen.state === 'dead', seen.holder.lifetime / 1000],
        );
  return rows.length > 0;
}

async function readRow({ token, holder: text, beat_at, silent }: Row, timing: LeaseTiming): Promise<FoundLease> {
  const holder: unknown = JSON.parse(text);
  if (!isHolder(holder)) throw new Error('It has no holder.');
  const silentFor = Math.max(0, silent);
  const state = judgeLease(await fateOfHolder(holder, timing), holder, silentFor);
  return { state, holder, heartbeatAt: beat_at, silentFor, place: `${PLACE}${token}` };
}

const damaged = ({ token }: Row): DamagedLease => ({ state: 'damaged', place: `${PLACE}${token}` });

const drop = (database: Database, token: string): Promise<unknown> =>
  database.query('delete from dexsync_lease where token = $1', [token]);

/** To others a lease of a process that runs is held, so one that cannot be removed now is removed once that works. */
function dropLater(database: Database, token: string, every: number): void {
  const timer = setInterval(() => {
    void drop(database, token).then(
      () => clearInterval(timer),
      () => undefined,
    );
  }, every).unref();
}

interface Holding {
  readonly database: Database;
  readonly held: Set<string>;
  readonly timing: LeaseTiming;
  readonly find: () => Promise<FoundLease | undefined>;
}

function holdLease(holder: Holder, { database, held, timing, find }: Holding): Lease {
  const { token } = holder;
  const { clock, beatEvery = BEAT_EVERY } = timing;
  const beat = async (): Promise<boolean> => {
    const sql = 'update dexsync_lease set beat_at = clock_timestamp() where token = $1 returning 1';
    return (await database.query(sql, [token])).length > 0;
  };
  // The next heartbeat makes up for a failed one; `check` reports a lost lease.
  const timer = setInterval(() => void beat().catch(() => undefined), beatEvery).unref();
  return {
    async check() {
      if (!(await beat())) throw lostLease(holder, await find().catch(() => undefined), clock, 'it was removed');
    },
    async release() {
      clearInterval(timer);
      held.delete(token);
      await drop(database, token).catch(() => dropLater(database, token, beatEvery));
    },
  };
}
