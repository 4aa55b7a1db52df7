import type { Dialect } from './dialects/dialect.js';
import { lifecyclePhases } from './families/lifecycle-phases.js';
import { userGroupMembers, userGroups } from './families/user-groups.js';
import { users } from './families/users.js';
import { addEntry } from './family/list-table.js';
import { insertRecord } from './family/records.js';
import { zulu } from './rules/date-times.js';
import type { Chance, Clock } from './rules/guid-source.js';
import { PATH_SEPARATOR, UNCATEGORIZED } from './rules/item-settings.js';
import { standardAttributes } from './rules/standard-fields.js';
import { seedExchange } from './seed-exchange.js';
import { type NumberFormats, seedFurtherSettings, seedNumberFormats } from './seed-settings.js';
import type { Database } from './store/database.js';
import { CATEGORY_ROOTS, type FieldType, insertAttribute, insertCategory, type World } from './store/item-settings.js';
import { insertItem } from './store/items.js';
import { readMeta, writeMeta } from './store/open.js';

/** The users that can log in; the first is the administrator. */
export const SEED_USERS = [
  { email: 'admin@example.com', firstName: 'Ada', lastName: 'Admin', type: 'EMPLOYEE' },
  { email: 'ann@example.com', firstName: 'Ann', lastName: 'Quality', type: 'EMPLOYEE' },
  { email: 'ben@example.com', firstName: 'Ben', lastName: 'Buyer', type: 'EMPLOYEE' },
  { email: 'cleo@example.com', firstName: 'Cleo', lastName: 'Engineer', type: 'EMPLOYEE' },
  { email: 'robot@example.com', firstName: 'Integration', lastName: 'Robot', type: 'INTEGRATION' },
] as const;

const DOMAIN = 'example.com';

/** The e-mail addresses of the users of a workspace, that of the administrator first. */
export function seedEmails(settings: Database): string[] {
  const domain = readMeta(settings, 'domain') ?? DOMAIN;
  return SEED_USERS.map(({ email }) => email.replace(DOMAIN, domain));
}

/** The name that every embedded workspace reports at login; only the ids differ. */
export const WORKSPACE_NAME = 'Embedded Workspace';

const STRUCTURAL = CATEGORY_ROOTS.ITEMS;

const CATEGORIES = [
  STRUCTURAL,
  UNCATEGORIZED,
  'Item\\Assembly',
  'Item\\Cable',
  'Item\\Capacitor',
  'Item\\Connector',
  'Item\\Document',
  'Item\\Integrated Circuit',
  'Item\\Mechanical',
  'Item\\Resistor',
];

/** The categories whose numbers have a prefix; the uncategorized category has no number format. */
const PREFIXED = ['Item\\Assembly', 'Item\\Document'];

/** The default phases of wire-facts 7; their stages and types are ours. */
const PHASES = [
  { name: 'Unreleased', shortName: 'U', stage: 'UNRELEASED', type: 'PRELIMINARY' },
  { name: 'In Design', shortName: 'D', stage: 'DESIGN', type: 'DESIGN' },
  { name: 'Prototype', shortName: 'P', stage: 'DESIGN', type: 'DESIGN' },
  { name: 'In Production', shortName: 'A', stage: 'PRODUCTION', type: 'PRODUCTION' },
  { name: 'Deprecated', shortName: 'X', stage: 'PRODUCTION', type: 'DEPRECATED' },
  { name: 'Obsolete', shortName: 'O', stage: 'PRODUCTION', type: 'OBSOLETE' },
  { name: 'Abandoned', shortName: 'B', stage: 'DESIGN', type: 'ABANDONED' },
];

interface SeedAttribute {
  readonly world: World;
  readonly name: string;
  readonly fieldType: FieldType;
  readonly multiSelect?: boolean;
  readonly possibleValues?: readonly string[];
}

const ATTRIBUTES: readonly SeedAttribute[] = [
  {
    world: 'ITEMS',
    name: 'RoHS Status',
    fieldType: 'FIXED_DROP_DOWN',
    possibleValues: ['Compliant', 'Not Compliant', 'Exempt', 'Unknown'],
  },
  { world: 'ITEMS', name: 'Manufacturer', fieldType: 'SINGLE_LINE_TEXT' },
  { world: 'ITEMS', name: 'Manufacturer Part Number', fieldType: 'SINGLE_LINE_TEXT' },
  { world: 'ITEMS', name: 'Supplier', fieldType: 'SINGLE_LINE_TEXT' },
  { world: 'ITEMS', name: 'Supplier Part Number', fieldType: 'SINGLE_LINE_TEXT' },
  { world: 'ITEMS', name: 'Package', fieldType: 'SINGLE_LINE_TEXT' },
  { world: 'ITEMS', name: 'Value', fieldType: 'SINGLE_LINE_TEXT' },
  { world: 'ITEMS', name: 'Remarks', fieldType: 'MULTI_LINE_TEXT' },
  { world: 'ITEMS', name: 'Weight in Grams', fieldType: 'NUMBER' },
  { world: 'ITEMS', name: 'Last Reviewed', fieldType: 'DATE' },
  { world: 'ITEMS', name: 'Safety Critical', fieldType: 'BOOLEAN' },
  {
    world: 'ITEMS',
    name: 'Certifications',
    fieldType: 'FIXED_DROP_DOWN',
    multiSelect: true,
    possibleValues: ['CE', 'FCC', 'UL', 'UKCA'],
  },
  { world: 'ITEMS', name: 'Finish', fieldType: 'DROP_DOWN', possibleValues: ['None', 'Anodized', 'Painted', 'Plated'] },
  { world: 'BOM', name: 'Designators', fieldType: 'MULTI_LINE_TEXT' },
  { world: 'BOM', name: 'Find Number', fieldType: 'SINGLE_LINE_TEXT' },
  { world: 'BOM', name: 'Placement Side', fieldType: 'FIXED_DROP_DOWN', possibleValues: ['Top', 'Bottom'] },
  { world: 'BOM', name: 'Do Not Place', fieldType: 'BOOLEAN' },
];

const ITEMS = [
  { number: 'DX-0001', name: 'Example enclosure', description: 'Two-part plastic enclosure' },
  { number: 'DX-0002', name: 'Example label', description: null },
];

/** Fills a new workspace with users, settings and a little data, all of it our own. */
export function seed(settings: Database, chance: Chance, clock: Clock, dialect: Dialect): void {
  const at = zulu(clock());
  writeMeta(settings, 'workspaceId', String(chance.workspaceId()));
  const [administrator = '', ...others] = seedUsers(settings, chance);
  seedAttributes(settings, chance);
  const categories = seedCategories(settings, chance, at, seedNumberFormats(settings, chance, at));
  const [phase = ''] = PHASES.map((fields) => {
    const guid = chance.guid();
    insertRecord(settings, lifecyclePhases, { guid, ...fields });
    return guid;
  });
  seedGroup(settings, chance.guid(), administrator, others, at);
  const category = categories.get(UNCATEGORIZED) ?? '';
  for (const item of ITEMS) {
    const owner = administrator;
    insertItem(settings, {
      ...item,
      guid: chance.guid(),
      category,
      phase,
      owner,
      fields: { uom: 'each' },
      additional: {},
      created: at,
      creator: owner,
      modified: null,
    });
  }
  seedExchange(settings, administrator, dialect, chance, clock);
  seedFurtherSettings(settings, chance, at);
}

function seedUsers(settings: Database, chance: Chance): string[] {
  const emails = seedEmails(settings);
  return SEED_USERS.map((user, index) => {
    const guid = chance.guid();
    const fullName = `${user.firstName} ${user.lastName}`;
    insertRecord(settings, users, {
      ...{ ...user, email: emails[index] ?? user.email },
      guid,
      fullName,
      enabled: true,
      administrator: index === 0,
      password: null,
    });
    return guid;
  });
}

function seedAttributes(settings: Database, chance: Chance): void {
  const worlds: readonly World[] = ['ITEMS', 'BOM'];
  for (const world of worlds) {
    for (const attribute of standardAttributes(world, chance.guid)) insertAttribute(settings, attribute);
  }
  for (const { multiSelect = false, possibleValues = [], ...attribute } of ATTRIBUTES) {
    const guid = chance.guid();
    const rest = { custom: true, required: false, maxLength: null, category: null };
    insertAttribute(settings, { ...attribute, ...rest, guid, apiName: guid, multiSelect, possibleValues });
  }
}

function seedCategories(
  settings: Database,
  chance: Chance,
  created: string,
  formats: NumberFormats,
): Map<string, string> {
  const guids = new Map<string, string>();
  for (const path of CATEGORIES) {
    const names = path.split(PATH_SEPARATOR);
    const guid = chance.guid();
    guids.set(path, guid);
    insertCategory(settings, {
      guid,
      world: 'ITEMS',
      name: names.at(-1) ?? path,
      path,
      parent: guids.get(names.slice(0, -1).join(PATH_SEPARATOR)) ?? null,
      level: names.length - 1,
      structural: path === STRUCTURAL,
      systemDefined: path === STRUCTURAL || path === UNCATEGORIZED,
      numberFormat: formatOf(path, formats),
      created,
    });
  }
  return guids;
}

function formatOf(path: string, { plain, prefixed }: NumberFormats): string | null {
  if (path === UNCATEGORIZED) return null;
  return PREFIXED.includes(path) ? prefixed : plain;
}

function seedGroup(settings: Database, guid: string, creator: string, members: readonly string[], at: string): void {
  const fields = {
    name: 'Everyone',
    description: 'All users of the workspace',
    enabled: true,
    assignability: ['POLICIES'],
  };
  const stamps = { creationDateTime: at, creator, lastModifiedDateTime: null, modifiedBy: null };
  insertRecord(settings, userGroups, { guid, ...fields, ...stamps });
  for (const member of [creator, ...members]) addEntry(settings, userGroupMembers.table, guid, member);
}
