import type { Row } from '#base/sqlite/sqlite.js';
import { searchableAttributes } from '../family/attribute-values.js';
import { categoryField } from '../family/category-field.js';
import { computed, constant, derived, link } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import type { FieldFactory } from '../family/field.js';
import { flag } from '../family/plain-fields.js';
import { reference } from '../family/reference-fields.js';
import { creationTime, creator, modificationTime } from '../family/stamp-fields.js';
import { nullableText, plainText } from '../family/text-fields.js';
import { fixed } from '../family/traits.js';
import { fieldValues, keptFlag, keptNumber, keptText } from '../family/value-fields.js';
import { Type } from '../routes/type.js';
import { criteriaClause } from '../rules/criteria/search-by-criteria.js';
import { refuse } from '../rules/service-error.js';
import { flag as flagIn } from '../store/select.js';

const HAS_LINES = 'EXISTS (SELECT 1 FROM bom_lines WHERE parent = t.guid)';
const IS_USED = 'EXISTS (SELECT 1 FROM bom_lines WHERE child = t.guid)';

/** The place of an item in BOMs, derived from flags that the row already has. */
const assemblyType: FieldFactory<undefined> = (name) => ({
  ...derived(Type.String(), (_, row) => assemblyTypeOf(row))(name),
  searched: {
    [name]: `CASE WHEN NOT ${HAS_LINES} THEN 'NOT_AN_ASSEMBLY' WHEN ${IS_USED} THEN 'ASSEMBLY'
      ELSE 'TOP_LEVEL_ASSEMBLY' END`,
  },
});

function assemblyTypeOf(row: Row): string {
  if (!flagIn(row, 'isAssembly')) return 'NOT_AN_ASSEMBLY';
  return flagIn(row, 'inAssembly') ? 'ASSEMBLY' : 'TOP_LEVEL_ASSEMBLY';
}

/**
 * Items, read-only (interface 2.4, 4.6; wire-facts 3): imports write them, see `store/items.ts`. `any`, and the views
 * other than the full one, are not supported and are refused.
 */
export const items = family({
  path: '/items',
  one: 'an item',
  many: 'items',
  table: 'items',
  paged: true,
  fields: {
    number: plainText(),
    name: plainText(),
    description: nullableText(),
    category: categoryField('ITEMS'),
    lifecyclePhase: reference({ table: 'lifecycle_phases', shows: ['name'], column: 'phase' }),
    owner: reference({ table: 'users', shows: ['fullName'], anonymous: true }),
    uom: keptText(),
    procurementType: keptText(),
    standardCost: keptNumber(),
    targetCost: keptNumber(),
    prototypeCost: keptNumber(),
    productionCost: keptNumber(),
    targetPrice: keptNumber(),
    shared: keptFlag(),
    isLocked: fixed(flag(false, { column: 'locked', declaration: 'INTEGER NOT NULL DEFAULT 0' })),
    isAssembly: computed(HAS_LINES, Type.Boolean(), flagIn),
    inAssembly: computed(IS_USED, Type.Boolean(), flagIn),
    assemblyType,
    revisionNumber: constant(null, Type.Null()),
    revisionStatus: constant('WORKING', Type.String()),
    creationDateTime: creationTime(),
    creator: creator(),
    lastModifiedDateTime: modificationTime(),
    additionalAttributes: searchableAttributes('ITEMS', 'includeEmptyAdditionalAttributes'),
    url: link('/items'),
    fields: fieldValues(),
    additional: fieldValues(),
  },
  indexes: { items_by_number: 'number COLLATE NOCASE' },
  search: {
    number: 'text',
    name: 'text',
    description: 'text',
    'category.guid': 'text',
    'lifecyclePhase.guid': 'text',
    'owner.fullName': 'text',
    'creator.fullName': 'text',
    'creator.guid': 'text',
    assemblyType: 'choice',
    inAssembly: 'flag',
  },
  narrowed: { parameter: 'criteria', clause: criteriaClause },
  parameters: {
    responseview: (view) => {
      if (view !== undefined && view !== 'full') throw refuse.option(String(view), 'responseview');
    },
  },
});
