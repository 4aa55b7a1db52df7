import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is on a disk for certain: entries of folders, and contents of files by what identifies them. */
export interface Durable {
  readonly folders: Map<string, readonly Entry[]>;
  readonly files: Map<string, Buffer>;
}

type Entry = readonly [name: string, is: string];

const FOLDER = 'folder';

/** All that folders hold, as if it had been synced. */
export function durableNow(folders: readonly string[]): Durable {
  const durable: Durable = { folders: new Map(), files: new Map() };
  for (const folder of folders) if (existsSync(folder)) add(durable, folder);
  return durable;
}

function add(durable: Durable, folder: string): void {
  const entries = readdirSync(folder).map((name): Entry => {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isDirectory()) {
      add(durable, path);
      return [name, FOLDER];
    }
    const identity = `${found.ino} ${found.birthtimeMs}`;
    durable.files.set(identity, readFileSync(path));
    return [name, identity];
  });
  durable.folders.set(folder, entries);
}

/** Reduces folders to what survived a loss of power: `before`, and what the module `power.cjs` noted since. */
export function losePower(folders: readonly string[], before: Durable, log: string): void {
  const { folders: entriesOf, files } = before;
  for (const line of readFileSync(log, 'utf8').split('\n').filter(isWhole)) {
    const { folder, entries, file, content } = JSON.parse(line);
    if (folder === undefined) files.set(file, Buffer.from(content, 'base64'));
    else entriesOf.set(folder, entries);
  }
  const restore = (folder: string): void => {
    mkdirSync(folder);
    for (const [name, is] of entriesOf.get(folder) ?? []) {
      const path = join(folder, name);
      if (is === FOLDER) restore(path);
      else writeFileSync(path, files.get(is) ?? '');
    }
  };
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
    if (entriesOf.has(folder)) restore(folder);
  }
}

/** The program was killed while it wrote the last line. */
const isWhole = (line: string): boolean => line.endsWith('}');
