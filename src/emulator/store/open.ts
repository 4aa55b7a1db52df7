import { copyFileSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { connect, isBusy } from '#base/sqlite/sqlite.js';
import { families, importedFamilies, memberships, runFamilies } from '../families/catalog.js';
import { createTables } from '../family/tables.js';
import { BatchedDatabase } from './batched-database.js';
import { Database } from './database.js';
import { ITEM_TABLES } from './item-revisions.js';
import { makeFolder } from './make-folder.js';
import { FORMAT, migrate, OLDEST_FORMAT, readFormatNumber } from './migrations.js';
import { APPLICATION_ID, USAGE_TABLES, WORKSPACE_TABLES } from './schema.js';
import { number, text } from './select.js';

/** Why a workspace cannot be opened, in one line for the person who started it. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
}

/** Another process has the workspace open. */
export class InUseError extends OpenError {}

/** An open workspace file with its companions. */
export interface Store {
  readonly file: string;
  readonly isTemporary: boolean;
  readonly settings: Database;
  readonly usage: Database;
  /** The folder with the files of runs. */
  readonly runFolder: string;
  /** Writes everything into the database files and closes them; a temporary workspace is deleted. */
  close(): void;
}

/**
 * Opens a workspace file, or a temporary one when none is named. A missing file is created as a copy of the workspace
 * file `from`, or else `fill` runs in the transaction that creates it; a file of an older format is migrated to this one
 * and keeps its data. Only one process can have a workspace open.
 */
export async function openStore(
  file: string | undefined,
  fill: (settings: Database) => void,
  from?: string,
): Promise<Store> {
  const temporary = file === undefined ? mkdtempSync(join(tmpdir(), 'dexsync-workspace-')) : undefined;
  const path = resolve(file ?? join(temporary ?? '', 'workspace.db'));
  try {
    return await openFiles(path, { fill, from, temporary });
  } catch (error) {
    if (temporary) rmSync(temporary, { recursive: true, force: true });
    throw error instanceof OpenError ? error : new OpenError(`Cannot open ${path}: ${(error as Error).message}`);
  }
}

/** The cache of a connection: GUIDs come in no order, so writes to their indexes are spread over the whole file. */
const CACHE_KIB = 32 * 1024;

/** Options of a connection to a workspace file. */
export interface OpenSettings {
  readonly patienceMs: number;
  /** Whether the file is deleted at the end, so that it need not survive a power cut. */
  readonly isTemporary: boolean;
  readonly isStopped?: () => boolean;
}

/**
 * Opens a connection to a workspace file. Answered writes survive a power cut: ledgers know of imports that a file
 * without their rows would have lost.
 */
export async function openSettings(
  path: string,
  { patienceMs, isTemporary, isStopped }: OpenSettings,
): Promise<Database> {
  const database = new Database(await connect(path), isStopped);
  const synchronous = isTemporary ? 'NORMAL' : 'FULL';
  database.exec(`PRAGMA busy_timeout = ${patienceMs}; PRAGMA foreign_keys = ON; PRAGMA synchronous = ${synchronous};
    PRAGMA main.cache_size = -${CACHE_KIB}; PRAGMA temp.cache_size = -${CACHE_KIB}`);
  return database;
}

/** Returns the workspace's own value for a key, such as its id; undefined if there is none. */
export function readMeta(settings: Database, key: string): string | undefined {
  const row = settings.get('SELECT value FROM meta WHERE key = ?', key);
  return row && text(row, 'value');
}

/** Sets the workspace's own value for a key, replacing the old one. */
export function writeMeta(settings: Database, key: string, value: string): void {
  settings.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
}

interface Opening {
  readonly fill: (settings: Database) => void;
  readonly from: string | undefined;
  /** The folder of a temporary workspace. */
  readonly temporary: string | undefined;
}

async function openFiles(path: string, { fill, from, temporary }: Opening): Promise<Store> {
  makeFolder(dirname(path));
  if (hasContent(path)) await refuseForeign(path);
  const usage = await openUsage(`${path}-usage`, path);
  const runFolder = `${path}-runs`;
  if (from !== undefined && !hasContent(path)) {
    renameSync(await copyWorkspace(from, path), path);
    copyRunFiles(from, runFolder);
  }
  const isTemporary = temporary !== undefined;
  const settings = await openSettings(path, { patienceMs: 0, isTemporary });
  settings.exec('PRAGMA journal_mode = WAL');
  if (number(settings.get('PRAGMA application_id') ?? {}, 'application_id') === 0) create(settings, fill);
  else update(settings);
  makeFolder(runFolder);
  return {
    file: path,
    isTemporary,
    settings,
    usage,
    runFolder,
    close() {
      for (const database of [settings, usage]) {
        if (!isTemporary) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
      }
      // A run that is ending may write meanwhile.
      if (temporary) rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function create(settings: Database, fill: (settings: Database) => void): void {
  settings.transaction(() => {
    settings.exec(`${WORKSPACE_TABLES} ${ITEM_TABLES}`);
    createTables(settings, [...families, ...importedFamilies, ...runFamilies], memberships);
    fill(settings);
    settings.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`);
  });
}

function update(settings: Database): void {
  migrate(settings);
  settings.transaction(() => {
    settings.exec(ITEM_TABLES);
    createTables(settings, [...families, ...importedFamilies, ...runFamilies], memberships);
  });
}

/**
 * Opens the usage file, which is also the lock: its connection locks the whole file until it is closed or the process
 * ends. Writes are batched, since committing the two of each request would take most of its time.
 */
async function openUsage(path: string, of: string): Promise<Database> {
  const usage = new BatchedDatabase(await connect(path));
  try {
    usage.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE');
    usage.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE');
    usage.exec(`${USAGE_TABLES} COMMIT`);
    return usage;
  } catch (error) {
    usage.close();
    if (isBusy(error)) throw new InUseError(`${of} is in use by another workspace process.`);
    throw error;
  }
}

const hasContent = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Copies a workspace file, migrates the copy to this format, and returns its path, next to `path`. Throws an OpenError
 * if the file is missing, foreign, or not closed: its latest writes would be missing from the copy.
 */
export async function copyWorkspace(from: string, path: string): Promise<string> {
  if (!hasContent(from)) throw new OpenError(`There is no workspace file ${from}.`);
  if (hasContent(`${from}-wal`)) {
    throw new OpenError(`${from} is in use, or its process was killed. Serve it with --db, and stop that process.`);
  }
  const copy = `${path}-copy`;
  try {
    copyFileSync(from, copy);
    await updateCopy(copy, from);
    return copy;
  } catch (error) {
    rmSync(copy, { force: true });
    throw error instanceof OpenError ? error : new OpenError(`Cannot read ${from}: ${(error as Error).message}`);
  }
}

async function updateCopy(copy: string, from: string): Promise<void> {
  const database = await openSettings(copy, { patienceMs: 0, isTemporary: true });
  try {
    refuseOtherFormat(database, from);
    update(database);
    // Leaves one file, which can be attached and moved.
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/** Copies the files of the runs of a workspace file into a folder. */
export function copyRunFiles(from: string, folder: string): void {
  if (existsSync(`${from}-runs`)) cpSync(`${from}-runs`, folder, { recursive: true });
}

async function refuseForeign(path: string): Promise<void> {
  const database = new Database(await connect(path));
  try {
    const tables = number(database.get('SELECT count(*) AS n FROM sqlite_schema') ?? {}, 'n');
    if (tables > 0) refuseOtherFormat(database, path);
  } finally {
    database.close();
  }
}

function refuseOtherFormat(database: Database, name: string): void {
  const id = number(database.get('PRAGMA application_id') ?? {}, 'application_id');
  if (id !== APPLICATION_ID) throw new OpenError(`${name} is a database, but not a dexsync workspace.`);
  const format = readFormatNumber(database);
  if (format < OLDEST_FORMAT || format > FORMAT) {
    throw new OpenError(`${name} has format ${format}; this version reads format ${FORMAT}. Give another file.`);
  }
}
