import type { Row } from '#base/sqlite/sqlite.js';
import { searchableAttributes } from '../family/attribute-values.js';
import { categoryField } from '../family/category-field.js';
import { computed, derived, link } from '../family/derived-fields.js';
import { type Family, family } from '../family/family.js';
import type { FieldFactory } from '../family/field.js';
import { flag } from '../family/plain-fields.js';
import { reference } from '../family/reference-fields.js';
import { creationTime, creator, modificationTime } from '../family/stamp-fields.js';
import { nullableText, plainText } from '../family/text-fields.js';
import { fixed } from '../family/traits.js';
import { fieldValues, keptFlag, keptNumber, keptText } from '../family/value-fields.js';
import { endpointAt, entryShape } from '../interface/endpoints.js';
import type { Shape } from '../interface/shape.js';
import { nullable } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import { criteriaClause } from '../rules/criteria/search-by-criteria.js';
import { ALL_REVISIONS, EFFECTIVE, GUIDS_OF_REVISIONS, modifiedSql, WORKING } from '../store/item-revisions.js';
import type { FieldValues } from '../store/items.js';
import { flag as flagIn, textOrNull } from '../store/select.js';

const HAS_LINES = `(EXISTS (SELECT 1 FROM bom_lines WHERE parent = t.guid)
  OR EXISTS (SELECT 1 FROM item_revisions WHERE guid = t.guid AND bom <> '[]'))`;
const IS_USED = `(EXISTS (SELECT 1 FROM bom_lines WHERE child = t.guid)
  OR EXISTS (SELECT 1 FROM item_revisions v JOIN bom_lines b ON b.child = v.item WHERE v.guid = t.guid))`;

/** What a row has of its revision, as JSON; null for an item, whose row is its working revision. */
const REVISION = `(SELECT json_object('status', status, 'revision', revision, 'effective', effective,
  'superseded', superseded, 'deviated', deviated) FROM item_revisions WHERE guid = t.guid) AS revision_of`;

const effective = (column: string): string =>
  `(SELECT e.${column} FROM item_revisions e WHERE e.item = t.guid AND e.status = ${EFFECTIVE})`;

interface Revision {
  readonly status: number;
  readonly revision: string;
  readonly effective: string;
  readonly superseded: string | null;
  readonly deviated: number;
}

/** A field of the revision that a row is. */
const revised = (
  answer: TSchema,
  show: (revision: Revision | undefined, fields: FieldValues) => unknown,
  searched?: string,
): FieldFactory<undefined> => {
  return (name) => ({
    ...derived<{ readonly fields: FieldValues }>(answer, ({ fields }, row) => {
      const json = textOrNull(row, 'revision_of');
      return show(json === null ? undefined : (JSON.parse(json) as Revision), fields) ?? null;
    })(name),
    ...(searched === undefined ? {} : { searched: { [name]: searched } }),
  });
};

const STATES = ['WORKING', 'EFFECTIVE', 'SUPERSEDED'];

const revisionStatus: FieldFactory<undefined> = (name) => ({
  ...revised(Type.String(), (revision) => STATES[revision?.status ?? WORKING])(name),
  selects: [REVISION, `${effective('guid')} AS effective_guid`],
});

const modified = (part: Parameters<typeof modifiedSql>[0]): FieldFactory<undefined> =>
  computed(modifiedSql(part), Type.Boolean(), flagIn);

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

/** What `any` searches (interface 9, 2024-12-07): which attributes those are, no source says. */
const ANY_TEXT = `concat_ws(char(10), t.number, t.name, t.description,
  (SELECT group_concat(value, char(10)) FROM json_each(t.additional)))`;

/** The forms of entries in lists (wire-facts 8.1). */
const COMPACT = entryShape(endpointAt('GET', '/items')) ?? { types: [] };
const MINIMUM: Shape = {
  types: [],
  keys: new Map([...(COMPACT.keys ?? [])].filter(([name]) => ['guid', 'number', 'url'].includes(name))),
};

/**
 * Items (interface 2.4, 4.6; wire-facts 3 and 8.1): imports write them, see `store/items.ts`, and so do requests, see
 * `item-writes.ts`. A row is the working revision of an item. A list shows the effective one if there is one, which it
 * finds by the values of the working one; a single read finds all.
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
    revisionNumber: revised(
      nullable(Type.String()),
      (revision, { revisionNumber }) => revision?.revision ?? revisionNumber,
      `coalesce(${effective('revision')}, t.fields ->> '$.revisionNumber')`,
    ),
    revisionStatus,
    status: revised(Type.Integer(), (revision) => revision?.status ?? WORKING),
    effectiveDateTime: revised(nullable(Type.String()), (revision) => revision?.effective),
    supersededDateTime: revised(nullable(Type.String()), (revision) => revision?.superseded),
    deviated: revised(Type.Boolean(), (revision) => revision?.deviated === 1),
    modifiedSpecs: modified('specs'),
    modifiedBom: modified('bom'),
    modifiedFiles: modified('files'),
    modifiedSourcing: modified('sourcing'),
    offTheShelf: keptFlag(),
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
    any: 'contains',
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
    revisionNumber: 'text',
    effectiveDateTimeFrom: 'dateTimeFrom',
    effectiveDateTimeTo: 'dateTimeTo',
    modifiedSpecs: 'flag',
    modifiedBom: 'flag',
    modifiedFiles: 'flag',
    modifiedSourcing: 'flag',
  },
  columns: {
    any: ANY_TEXT,
    effectiveDateTimeFrom: effective('effective'),
    effectiveDateTimeTo: effective('effective'),
  },
  narrowed: { parameter: 'criteria', clause: criteriaClause },
  exclusive: ['assemblyType', 'inAssembly', 3851],
  views: { parameter: 'responseview', of: { minimum: MINIMUM, compact: COMPACT, full: 'full' }, list: 'compact' },
  sources: { get: ALL_REVISIONS },
  listedAs: 'effective_guid',
  versions: { column: 'item', select: GUIDS_OF_REVISIONS },
});

/** Items and their revisions as owners of what each revision has of its own. */
const { versions: _, ...revisions } = items;
export const revisionsOfItems: Family = revisions;
