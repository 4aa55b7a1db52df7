import { approvalStatuses } from './families/approval-statuses.js';
import { type NumberFieldBody, numberField, numberFormats } from './families/number-formats.js';
import { insertRecord } from './family/records.js';
import type { Chance } from './rules/guid-source.js';
import { PATH_SEPARATOR, UNCATEGORIZED } from './rules/item-settings.js';
import { standardAttributes } from './rules/standard-fields.js';
import type { Database } from './store/database.js';
import {
  CATEGORY_ROOTS,
  type CategoryWorld,
  type FieldType,
  insertAttribute,
  insertCategory,
  type World,
} from './store/item-settings.js';

/** The GUIDs of the seeded number formats. */
export interface NumberFormats {
  readonly plain: string;
  readonly prefixed: string;
}

const PLAIN: readonly NumberFieldBody[] = [{ name: 'Sequence', type: 'AUTO_SEQUENCE', maxLength: 6 }];

const PREFIXED: readonly NumberFieldBody[] = [
  {
    name: 'Prefix',
    type: 'VALUE_LIST',
    possibleValues: [
      { value: '100', description: 'Assemblies' },
      { value: '900', description: 'Documents' },
    ],
  },
  { name: 'Delimiter', type: 'DELIMITER', value: '-' },
  { name: 'Sequence', type: 'AUTO_SEQUENCE', maxLength: 5 },
];

const CATEGORIES: Readonly<Record<'CHANGES' | 'REQUESTS' | 'FILES', readonly string[]>> = {
  CHANGES: ['Engineering Change Order', 'Deviation'],
  REQUESTS: ['Engineering Change Request', 'Problem Report'],
  FILES: ['Datasheet', 'Drawing', 'Model', 'Specification'],
};

interface SeedAttribute {
  readonly world: Exclude<World, 'ITEMS' | 'BOM'>;
  readonly name: string;
  readonly fieldType: FieldType;
  readonly possibleValues?: readonly string[];
  /** The name of the category, below the root, that the attribute is limited to. */
  readonly category?: string;
}

const ATTRIBUTES: readonly SeedAttribute[] = [
  { world: 'CHANGES', name: 'Reason Code', fieldType: 'DROP_DOWN', possibleValues: ['Cost', 'Quality', 'Safety'] },
  { world: 'CHANGES', name: 'Cost Impact', fieldType: 'NUMBER' },
  { world: 'CHANGES', name: 'Deviation Quantity', fieldType: 'NUMBER', category: 'Deviation' },
  { world: 'REQUESTS', name: 'Root Cause', fieldType: 'MULTI_LINE_TEXT' },
  {
    world: 'REQUESTS',
    name: 'Found In',
    fieldType: 'FIXED_DROP_DOWN',
    possibleValues: ['Field', 'Incoming Inspection', 'Production'],
    category: 'Problem Report',
  },
  { world: 'SUPPLIERS', name: 'Payment Terms', fieldType: 'SINGLE_LINE_TEXT' },
  { world: 'SUPPLIERS', name: 'Audited On', fieldType: 'DATE' },
  { world: 'SUPPLIER_ITEMS', name: 'Minimum Order Quantity', fieldType: 'NUMBER' },
  { world: 'QUALITY_PROCESSES', name: 'Severity', fieldType: 'FIXED_DROP_DOWN', possibleValues: ['Low', 'High'] },
  { world: 'FILES', name: 'Confidential', fieldType: 'BOOLEAN' },
  { world: 'TICKETS', name: 'Customer Reference', fieldType: 'SINGLE_LINE_TEXT' },
];

const APPROVAL_STATUSES = [
  { name: 'Approved', description: 'May be bought from', active: true },
  { name: 'Conditional', description: 'May be bought from with a waiver', active: true },
  { name: 'Not Approved', description: null, active: true },
];

/** Seeds the two number formats of a new workspace; the plain one is the default. */
export function seedNumberFormats(settings: Database, chance: Chance, creationDateTime: string): NumberFormats {
  const insert = (name: string, isDefault: boolean, bodies: readonly NumberFieldBody[]): string => {
    const guid = chance.guid();
    const fields = bodies.map((body) => numberField(body, chance.guid()));
    const format = { guid, name, default: isDefault, fields, taken: 0, creationDateTime };
    insertRecord(settings, numberFormats, format);
    return guid;
  };
  return { plain: insert('Sequence', true, PLAIN), prefixed: insert('Prefix and Sequence', false, PREFIXED) };
}

/** Seeds categories and attributes of the worlds other than items and BOM lines, and supplier approval statuses. */
export function seedFurtherSettings(settings: Database, chance: Chance, created: string): void {
  const categories = new Map([
    ...seedWorldCategories(settings, chance, 'CHANGES', created),
    ...seedWorldCategories(settings, chance, 'REQUESTS', created),
    ...seedWorldCategories(settings, chance, 'FILES', created),
  ]);
  seedUncategorized(settings, chance, created);
  for (const world of new Set(ATTRIBUTES.map((attribute) => attribute.world))) {
    for (const attribute of standardAttributes(world, chance.guid)) insertAttribute(settings, attribute);
  }
  for (const { possibleValues = [], category, ...attribute } of ATTRIBUTES) {
    const guid = chance.guid();
    const owner = category === undefined ? null : (categories.get(category) ?? null);
    const rest = { custom: true, required: false, maxLength: null, multiSelect: false, category: owner };
    insertAttribute(settings, { ...attribute, ...rest, guid, apiName: guid, possibleValues });
  }
  for (const status of APPROVAL_STATUSES) {
    insertRecord(settings, approvalStatuses, { guid: chance.guid(), ...status });
  }
}

/** Seeds the category of files that are created without one; items have the same. */
function seedUncategorized(settings: Database, chance: Chance, created: string): void {
  insertCategory(settings, {
    ...{ guid: chance.guid(), world: 'FILES', name: UNCATEGORIZED, path: UNCATEGORIZED, parent: null, level: 1 },
    ...{ structural: false, systemDefined: true, numberFormat: null, created },
  });
}

function seedWorldCategories(
  settings: Database,
  chance: Chance,
  world: keyof typeof CATEGORIES & CategoryWorld,
  created: string,
): Map<string, string> {
  const root = CATEGORY_ROOTS[world];
  const top = chance.guid();
  const common = { world, numberFormat: null, created };
  const shared = { ...common, parent: null, level: 0, structural: true, systemDefined: true };
  insertCategory(settings, { ...shared, guid: top, name: root, path: root });
  const entries = CATEGORIES[world].map((name): [string, string] => {
    const guid = chance.guid();
    const below = { ...common, parent: top, level: 1, structural: false, systemDefined: false };
    insertCategory(settings, { ...below, guid, name, path: `${root}${PATH_SEPARATOR}${name}` });
    return [name, guid];
  });
  return new Map(entries);
}
