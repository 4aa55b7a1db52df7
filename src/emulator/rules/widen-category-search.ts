import type { CategoryWorld } from '../store/item-settings.js';
import type { Criterion } from '../store/search.js';
import { findCategory, PATH_SEPARATOR } from './item-settings.js';
import type { Workspace } from './workspace.js';

/** Widens a search for a category to those below it (interface 4.6, includeChildCategories). */
export function widenCategorySearch(workspace: Workspace, world: CategoryWorld, criterion: Criterion): Criterion {
  const { guid, path } = findCategory(workspace, String(criterion.value), world);
  const below = workspace.settings
    .all('SELECT guid, path FROM categories WHERE world = ?', world)
    .filter((row) => isBelow(String(row.path), path));
  return { attribute: criterion.attribute, test: 'in', value: guid, values: below.map((row) => String(row.guid)) };
}

function isBelow(path: string, ancestor: string): boolean {
  return path.toLowerCase().startsWith(`${ancestor.toLowerCase()}${PATH_SEPARATOR}`);
}
