import type { Unnamed } from '../family/field.js';
import { reference } from '../family/reference-fields.js';
import { withCategoriesBelow } from '../rules/by-category.js';
import type { CategoryWorld } from '../store/item-settings.js';

/** The category of an object; searches include those below it (interface 4.6). Files show its path (wire-facts 8.3). */
export const categoryOf = (world: CategoryWorld): Unnamed<string> => {
  const field = reference({ table: 'categories', shows: world === 'FILES' ? ['name', 'path'] : ['name'] });
  return (name) => ({
    ...field(name),
    widened: {
      parameter: 'includeChildCategories',
      widen: (criterion, workspace) => withCategoriesBelow(workspace, world, criterion),
    },
  });
};
