import { createTables } from '../family/tables.js';
import type { Workspace } from '../rules/workspace.js';
import { writeWhenFree } from '../store/database.js';
import { documentedFamilies } from './catalog.js';
import { seedCollections } from './seed.js';

/** Creates the tables of the documented families, with the settings of a new workspace, where they are missing. */
export const openDocumented = ({ workspace }: { readonly workspace: Workspace }): Promise<void> =>
  writeWhenFree(workspace.settings, () => {
    createTables(workspace.settings, documentedFamilies, []);
    seedCollections(workspace);
  });
