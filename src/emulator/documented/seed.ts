import { implementationTemplates } from '../families/settings-collections.js';
import type { Family } from '../family/family.js';
import type { StoredRecord } from '../family/field.js';
import { insertRecord } from '../family/records.js';
import { zulu } from '../rules/date-times.js';
import type { Chance } from '../rules/guid-source.js';
import type { Workspace } from '../rules/workspace.js';
import type { Database } from '../store/database.js';
import { text } from '../store/select.js';
import { familyAt } from './registry.js';

type Values = Readonly<Record<string, unknown>>;

const sequence = (name: string, prefix: string): Values => ({
  name,
  prefixes: [{ value: prefix }],
  nextValue: '000001',
});

/** The settings of a new workspace that requests only read; an object without a GUID gets one. */
const SETTINGS: Readonly<Record<string, readonly Values[]>> = {
  '/settings/trainingplans/numbersequences': [sequence('Training plans', 'TRN-')],
  '/settings/tickets/numbersequences': [sequence('Tickets', 'TKT-')],
  '/settings/requests/numbersequences': [sequence('Requests', 'ECR-')],
  '/settings/qualityprocesses/numberformats': [sequence('Quality processes', 'QP-')],
  '/settings/changes/numbersequenceprefixes': [{ value: 'ECO-', nextValue: '000001' }],
  '/settings/requests/numbersequenceprefixes': [{ value: 'ECR-' }],
  '/settings/tickets/numbersequenceprefixes': [{ value: 'TKT-' }],
  '/settings/changes/implementationstatuses': ['NOT_STARTED', 'IN_PROGRESS', 'NEEDS_ATTN', 'DONE', 'BLANK'].map(
    (name) => ({ name }),
  ),
  '/settings/changes/routings': [{ name: 'Engineering', description: 'Review by engineering' }],
  '/settings/requests/evaluatorgroups': [{ name: 'Change board' }],
  '/settings/tickets/templates': [
    {
      ...{ name: 'Field issue', description: 'A problem that a customer has', active: true, defaultTemplate: true },
      ...{ allowUserDefinedNumber: true, numberSequences: [{ name: 'Tickets', prefixes: [{ value: 'TKT-' }] }] },
    },
  ],
  '/settings/qualityprocesses/templates': [
    {
      ...{ name: 'Corrective action', shortName: 'CAPA', description: 'From a finding to its end', active: true },
      numberFormats: [{ prefixes: [{ value: 'QP-' }] }],
      steps: [
        { name: 'Analysis', order: 1, type: 'REGULAR' },
        { name: 'Correction', order: 2, type: 'REGULAR' },
        { name: 'Approval', order: 3, type: 'SIGNOFF', allowOwnerToAddApprovers: true },
      ],
    },
  ],
  '/settings/items/requirements': [
    {
      ...{ name: 'RoHS', statementOfRequirement: 'Restricted substances', rationaleHint: 'Why it is exempt' },
      ...{ defaultEvidenceType: 'NONE', invalidationRule: 'RESET_ALL', propagate: true },
      evidenceLocation: { allFileCategories: true },
    },
  ],
  '/settings/supplieritems/requirements': [
    {
      ...{ name: 'RoHS', statementOfRequirement: 'Restricted substances', rationaleHint: 'Why it is exempt' },
      ...{ defaultEvidenceType: 'DIRECT_FILES', evidenceLocation: { allFileCategories: true } },
    },
  ],
};

/**
 * Seeds the settings that only the service's own pages change, as if the first user had made them. Requests never empty
 * one: it is new to the file.
 */
export function seedCollections(workspace: Workspace): void {
  const { settings, chance, clock } = workspace;
  const at = zulu(clock());
  const creator = text(settings.get('SELECT guid FROM users ORDER BY seq LIMIT 1') ?? {}, 'guid');
  for (const [path, entries] of Object.entries(SETTINGS)) {
    if (!isEmpty(settings, familyAt(path))) continue;
    for (const entry of entries) {
      const fields = withGuids(entry, chance) as Values;
      const record = { guid: chance.guid(), fields, creationDateTime: at, creator };
      insertRecord(settings, familyAt(path), record as StoredRecord);
    }
  }
  seedTemplates(workspace, creator);
}

const isEmpty = (settings: Database, { table }: Pick<Family, 'table'>): boolean =>
  settings.get(`SELECT 1 FROM ${table}`) === undefined;

/** Seeds a template of tasks for each category of changes. */
function seedTemplates({ settings, chance }: Workspace, user: string): void {
  if (!isEmpty(settings, implementationTemplates)) return;
  for (const { guid } of settings.all("SELECT guid FROM categories WHERE world = 'CHANGES' ORDER BY seq")) {
    const fields = { name: 'Update documents', defaultAssignee: user };
    insertRecord(settings, implementationTemplates, {
      guid: chance.guid(),
      ownerGuid: guid,
      fields,
    } as unknown as StoredRecord);
  }
}

/** Gives each object in a list a GUID. */
function withGuids(value: unknown, chance: Chance): unknown {
  if (Array.isArray(value))
    return value.map((entry) => ({ guid: chance.guid(), ...(withGuids(entry, chance) as Values) }));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withGuids(inner, chance)]));
}
