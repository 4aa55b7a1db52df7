import type { CategoryWorld } from '../store/item-settings.js';
import type { Criterion, Search } from '../store/search.js';
import { findCategory, PATH_SEPARATOR } from './item-settings.js';
import type { Workspace } from './workspace.js';

/** A category stands for those below it too, unless includeChildCategories says otherwise (interface 4.6). */
export function byCategory(workspace: Workspace, world: CategoryWorld, search: Search, withChildren: boolean): Search {
  if (!withChildren) return search;
  return { ...search, criteria: search.criteria.map((criterion) => expand(workspace, world, criterion)) };
}

function expand(workspace: Workspace, world: CategoryWorld, criterion: Criterion): Criterion {
  if (criterion.attribute !== 'category.guid') return criterion;
  const { guid, path } = findCategory(workspace, String(criterion.value), world);
  const below = workspace.settings
    .all('SELECT guid, path FROM categories WHERE world = ?', world)
    .filter((row) => isBelow(String(row.path), path));
  return { attribute: criterion.attribute, test: 'in', value: guid, values: below.map((row) => String(row.guid)) };
}

function isBelow(path: string, ancestor: string): boolean {
  return path.toLowerCase().startsWith(`${ancestor.toLowerCase()}${PATH_SEPARATOR}`);
}
