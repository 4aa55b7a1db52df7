import { createTables } from '../family/tables.js';
import type { Workspace } from '../rules/workspace.js';
import { writeWhenFree } from '../store/database.js';
import { documentedFamilies } from './catalog.js';
import { seedCollections } from './seed.js';

const opened = new WeakSet<Workspace>();

/** Creates, once, the tables of the documented families, with the settings of a new workspace, where they are missing. */
export async function openDocumented({ workspace }: { readonly workspace: Workspace }): Promise<void> {
  if (opened.has(workspace)) return;
  await writeWhenFree(workspace.settings, () => completeDocumented(workspace));
  opened.add(workspace);
}

/** Creates the missing tables, with the settings of a new workspace, in the transaction of the caller. */
export function completeDocumented(workspace: Workspace): void {
  createTables(workspace.settings, documentedFamilies, []);
  seedCollections(workspace);
}
