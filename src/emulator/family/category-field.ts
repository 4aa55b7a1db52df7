import { widenCategorySearch } from '../rules/widen-category-search.js';
import type { CategoryWorld } from '../store/item-settings.js';
import type { FieldFactory } from './field.js';
import { reference } from './reference-fields.js';

/** The category of an object; searches include those below it (interface 4.6). All but items show its path
 * (wire-facts 8.3). */
export const categoryField = (world: CategoryWorld): FieldFactory<string> => {
  const field = reference({ table: 'categories', shows: world === 'ITEMS' ? ['name'] : ['name', 'path'] });
  return (name) => ({
    ...field(name),
    widened: {
      parameter: 'includeChildCategories',
      widen: (criterion, workspace) => widenCategorySearch(workspace, world, criterion),
    },
  });
};
