/** A value that SQLite stores. */
export type SqlValue = string | number | null;

/** One row of an answer, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** A prepared statement; the part of the API of `node:sqlite` that is used. */
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/** An open database file; the part of the API of `node:sqlite` that is used, all of it synchronous. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Driver {
  readonly DatabaseSync: new (file: string) => Connection;
}

const BUILT_IN_SINCE = [22, 13] as const;

/** The code of {@link isBusy} errors. */
export const SQLITE_BUSY = 5;

/** Opens a database file with Node's own SQLite, or with the package of the same API on a Node without it. */
export async function connect(file: string): Promise<Connection> {
  const { DatabaseSync } = hasBuiltIn(process.versions.node) ? await loadBuiltIn() : await loadPackage();
  return new DatabaseSync(file);
}

/** Whether the statement failed only because another connection is writing. */
export function isBusy(error: unknown): boolean {
  const code = (error as { readonly errcode?: unknown }).errcode;
  return typeof code === 'number' && (code & 0xff) === SQLITE_BUSY;
}

function hasBuiltIn(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > BUILT_IN_SINCE[0] || (major === BUILT_IN_SINCE[0] && minor >= BUILT_IN_SINCE[1]);
}

/** Node 22 warns on stderr that its SQLite is experimental; the ready line's readers should not see that. */
async function loadBuiltIn(): Promise<Driver> {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    const name = 'node:sqlite';
    return (await import(name)) as Driver;
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function loadPackage(): Promise<Driver> {
  return (await import('@photostructure/sqlite')) as unknown as Driver;
}
