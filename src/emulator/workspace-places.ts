import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Arguments } from './arguments.js';

/** A workspace to open. */
export interface WorkspacePlace {
  /** Undefined for the first workspace of a process. */
  readonly name?: string;
  /** Its database; undefined if it is temporary. */
  readonly db: string | undefined;
  /** The workspace file that it is a copy of when it is new. */
  readonly from: string | undefined;
  /** The domain of its users; by default that of all workspaces that share their users. */
  readonly domain?: string;
}

const EXTENSION = '.db';

/** The database of a further workspace: beside that of the first one, in a folder that is named after it. */
const fileOf = (first: string, name: string): string => join(`${first}-workspaces`, `${name}${EXTENSION}`);

/** The names of the further workspaces of a file. */
function namesIn(first: string | undefined): string[] {
  if (first === undefined || !existsSync(`${first}-workspaces`)) return [];
  const files = readdirSync(`${first}-workspaces`).filter((file) => file.endsWith(EXTENSION));
  return files.map((file) => file.slice(0, -EXTENSION.length));
}

/**
 * The workspaces of a process: the first one, then in the order of their names those that its file has, those of the
 * file that it is a copy of, and those that the command line asks for. A further workspace is a copy of its namesake
 * or, if there is none, of the first one. Those that only a count asks for have users of their own.
 */
export function workspacePlaces({
  db,
  from,
  workspaces,
  count,
}: Pick<Arguments, 'db' | 'from' | 'workspaces' | 'count'>): WorkspacePlace[] {
  const copied = namesIn(from);
  const counted = Array.from({ length: count - 1 }, (_, index) => `w${index + 2}`);
  const names = new Set([...namesIn(db), ...copied, ...workspaces, ...counted]);
  const further = [...names].sort(byNumber).map((name) => ({
    name,
    ...(counted.includes(name) ? { domain: `${name}.example.com` } : {}),
    db: db === undefined ? undefined : fileOf(db, name),
    from: from !== undefined && copied.includes(name) ? fileOf(from, name) : from,
  }));
  return [{ db, from }, ...further];
}

const { compare: byNumber } = new Intl.Collator('en', { numeric: true });
