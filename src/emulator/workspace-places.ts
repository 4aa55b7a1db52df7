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
 * or, if there is none, of the first one.
 */
export function workspacePlaces({
  db,
  from,
  workspaces,
}: Pick<Arguments, 'db' | 'from' | 'workspaces'>): WorkspacePlace[] {
  const copied = namesIn(from);
  const names = new Set([...namesIn(db), ...copied, ...workspaces]);
  const further = [...names].sort().map((name) => ({
    name,
    db: db === undefined ? undefined : fileOf(db, name),
    from: from !== undefined && copied.includes(name) ? fileOf(from, name) : from,
  }));
  return [{ db, from }, ...further];
}
