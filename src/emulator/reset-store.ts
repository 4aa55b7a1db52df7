import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { completeDocumented } from './documented/open-documented.js';
import { rereadSessions } from './rules/sessions.js';
import type { Workspace } from './rules/workspace.js';
import type { Database } from './store/database.js';
import { copyRunFiles, copyWorkspace, OpenError, type Store } from './store/open.js';
import { text } from './store/select.js';

/**
 * Replaces all data of a workspace by those of a workspace file, in one transaction. Its id, log of requests, and the
 * sessions of users that the file has stay. No run may be in progress. Throws an OpenError if there is no such file.
 */
export async function resetStore(store: Store, workspace: Workspace, from: string | undefined): Promise<void> {
  if (from === undefined) {
    throw new OpenError(
      'The workspace was not started from a file, so there is nothing to return to. Start it with --from.',
    );
  }
  const copy = await copyWorkspace(from, store.file);
  try {
    replaceRows(store.settings, copy, () => completeDocumented(workspace));
    rereadSessions(workspace);
    for (const name of readdirSync(store.runFolder)) rmSync(join(store.runFolder, name), { force: true });
    copyRunFiles(from, store.runFolder);
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Replaces the rows of all tables; `complete` creates the tables that only one of the two files has. */
function replaceRows(settings: Database, copy: string, complete: () => void): void {
  settings.exec(`ATTACH '${copy.replaceAll("'", "''")}' AS source; PRAGMA foreign_keys = OFF`);
  try {
    settings.transaction(() => {
      complete();
      const copied = tablesOf(settings, 'source');
      for (const table of tablesOf(settings, 'main')) {
        settings.exec(`DELETE FROM main.${table}`);
        if (!copied.includes(table)) continue;
        const columns = columnsOf(settings, table);
        settings.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM source.${table}`);
      }
      complete();
    });
  } finally {
    settings.exec('PRAGMA foreign_keys = ON; DETACH source');
  }
}

/** The tables with the data of a workspace; `meta` says which workspace it is. */
const tablesOf = (settings: Database, schema: 'main' | 'source'): string[] =>
  settings
    .all(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT IN ('meta', 'sqlite_sequence')`)
    .map((row) => text(row, 'name'));

const columnsOf = (settings: Database, table: string): string =>
  settings
    .all('SELECT name FROM pragma_table_info(?)', table)
    .map((row) => `"${text(row, 'name')}"`)
    .join(', ');
