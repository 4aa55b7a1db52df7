import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { type List, number, text, textOrNull } from './select.js';

/** One request in the log of interface 4.6 (`apiusages`; its fields are ours, since no source shows any). */
interface ApiUsage {
  readonly dateTime: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly userEmail: string;
  readonly usageReason: string | null;
}

/** The log of requests, the oldest first, with times to the second. */
export const apiUsageList: List<ApiUsage> = {
  select: "SELECT *, strftime('%Y-%m-%dT%H:%M:%SZ', at / 1000, 'unixepoch') AS date_time FROM api_usages",
  columns: {
    dateTimeFrom: "strftime('%Y-%m-%dT%H:%M:%SZ', at / 1000, 'unixepoch')",
    dateTimeTo: "strftime('%Y-%m-%dT%H:%M:%SZ', at / 1000, 'unixepoch')",
  },
  order: 'seq',
  read: (row: Row) => ({
    dateTime: text(row, 'date_time'),
    method: text(row, 'method'),
    path: text(row, 'path'),
    status: number(row, 'status'),
    userEmail: text(row, 'email'),
    usageReason: textOrNull(row, 'reason'),
  }),
};

/** A request to be logged. */
export interface NewUsage {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly email: string;
  readonly reason: string | null;
}

/** Adds a request to the log, which counts the day's requests after a restart. `at` is in milliseconds since 1970. */
export function insertUsage(database: Database, at: number, usage: NewUsage): void {
  database.runLater(
    'INSERT INTO api_usages (at, method, path, status, email, reason) VALUES (?, ?, ?, ?, ?, ?)',
    at,
    usage.method,
    usage.path,
    usage.status,
    usage.email,
    usage.reason,
  );
}

/** Counts the requests that were logged from a time on, in milliseconds since 1970. */
export function usagesSince(database: Database, at: number): number {
  const row = database.get('SELECT count(*) AS n FROM api_usages WHERE at >= ?', at);
  return row ? number(row, 'n') : 0;
}

interface SessionRow {
  readonly userGuid: string;
  readonly lastUsed: number;
}

/**
 * Finds the session with the digest of a token, however long ago it was used: the rules decide whether it has ended.
 */
export function sessionByToken(database: Database, token: string): SessionRow | undefined {
  const row = database.get('SELECT * FROM sessions WHERE token = ?', token);
  return row && { userGuid: text(row, 'user_guid'), lastUsed: number(row, 'last_used') };
}

/** Opens the session of a user; the user's previous one ends. */
export function replaceSession(database: Database, userGuid: string, token: string, at: number): void {
  database.run('INSERT OR REPLACE INTO sessions (user_guid, token, last_used) VALUES (?, ?, ?)', userGuid, token, at);
}

/** Prolongs the session from a time, in milliseconds since 1970 (wire-facts 1: it slides). */
export function touchSession(database: Database, token: string, at: number): void {
  database.runLater('UPDATE sessions SET last_used = ? WHERE token = ?', at, token);
}

/** Ends the session with the digest of a token; a session that has already ended is not an error. */
export function deleteSession(database: Database, token: string): void {
  database.run('DELETE FROM sessions WHERE token = ?', token);
}

interface LoginFailures {
  readonly count: number;
  readonly lockedUntil: number;
}

/**
 * Returns the number of wrong passwords since the last success or lock, and the end of the user's lock, in milliseconds
 * since 1970; 0 if not locked.
 */
export function loginFailures(database: Database, userGuid: string): LoginFailures {
  const row = database.get('SELECT * FROM login_failures WHERE user_guid = ?', userGuid);
  return row ? { count: number(row, 'count'), lockedUntil: number(row, 'locked_until') } : { count: 0, lockedUntil: 0 };
}

/** Replaces the failures of a user; they outlast the process. */
export function recordLoginFailures(database: Database, userGuid: string, failures: LoginFailures): void {
  database.run(
    'INSERT OR REPLACE INTO login_failures (user_guid, count, locked_until) VALUES (?, ?, ?)',
    userGuid,
    failures.count,
    failures.lockedUntil,
  );
}

/** Resets the count and lifts the lock. */
export function forgetLoginFailures(database: Database, userGuid: string): void {
  database.run('DELETE FROM login_failures WHERE user_guid = ?', userGuid);
}

/** The id of the workspace of a process that a user logged in to last; undefined if there is none. */
export function lastWorkspace(database: Database, email: string): number | undefined {
  const row = database.get('SELECT workspace FROM last_workspaces WHERE email = ?', email);
  return row && number(row, 'workspace');
}

/** Sets the workspace of a process that a user logged in to last. */
export function setLastWorkspace(database: Database, email: string, workspace: number): void {
  database.run('INSERT OR REPLACE INTO last_workspaces (email, workspace) VALUES (?, ?)', email, workspace);
}
