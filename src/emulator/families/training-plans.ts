import { documented, inverse, owned } from '../documented/documented.js';
import { nextNumber } from '../documented/numbering.js';
import type { Stated, StatusChanges } from '../documented/status-changes.js';
import type { Family } from '../family/family.js';
import type { FieldFactory, StoredRecord, WriteRequest } from '../family/field.js';
import { insertRecord, readRecord } from '../family/records.js';
import { plainText } from '../family/text-fields.js';
import { hidden } from '../family/traits.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { QUALITY_LINK } from './quality-processes.js';

/** Refuses all but the manager of a plan (wire-facts 8.7). */
function refuseOthers({ fields }: Stated, { caller }: WriteRequest): void {
  if (fields.manager !== caller.guid) throw refusal(4215, 'Only the manager of a training plan may change it.');
}

/** Training plans (wire-facts 8.7); the manager of a new one is who creates it, unless the request names another. */
export const trainingPlans = documented('/trainingplans', {
  one: 'a training plan',
  many: 'training plans',
  clearable: ['description'],
  begin: ({ manager }, writing) => ({
    number: nextNumber(writing, '/settings/trainingplans/numbersequences', 3003),
    manager: manager ?? writing.caller.guid,
    status: 'OPEN',
  }),
});

/** A plan that is closed can be opened again, by its manager. */
export const trainingPlanStatuses: StatusChanges = {
  path: '/trainingplans/statuschanges',
  family: trainingPlans,
  by: 'trainingplan',
  move: (plan, writing) => {
    const { status } = writing.body;
    if (status !== 'OPEN' && status !== 'CLOSED') throw refuse.option(String(status), 'status');
    refuseOthers(plan, writing);
    if (status === plan.fields.status) throw refusal(4218, `The training plan is ${status} already.`);
    return { status };
  },
};

const planFiles = owned(trainingPlans, 'files', { one: 'a file', many: 'files', once: ['file', 3097] });
const planItems = owned(trainingPlans, 'items', {
  ...{ one: 'an item', many: 'items', once: ['item', 4222] },
  after: addRecords,
});
const planUsers = owned(trainingPlans, 'users', {
  ...{ one: 'a user', many: 'users', once: ['user', 4220] },
  after: addRecords,
});

const entryOf = (table: string): FieldFactory<string> =>
  hidden(plainText({ declaration: `TEXT NOT NULL REFERENCES ${table} (guid) ON DELETE CASCADE` }));

/** The training of each user of a plan for each of its items, which ends with either of them. */
const planRecords: Family = owned(trainingPlans, 'records', {
  ...{ one: 'a training record', many: 'training records', table: 'training_records' },
  fields: { userEntry: entryOf('trainingplans_users'), itemEntry: entryOf('trainingplans_items') },
  shows: { dueDate: (_, record, { workspace }) => entryValues(record, workspace).dueDate ?? null },
});

interface TrainingRecord extends Stated {
  readonly userEntry: string;
  readonly itemEntry: string;
}

/** What the user of a record has in the plan, whose date may change. */
function entryValues(record: StoredRecord, { settings }: Workspace): Stated['fields'] {
  const { userEntry } = record as TrainingRecord;
  return (readRecord(settings, planUsers, userEntry) as Stated | undefined)?.fields ?? {};
}

/** Adds the records that a plan lacks, after it got a user or an item. */
function addRecords({ ownerGuid }: { readonly ownerGuid: string }, { workspace }: WriteRequest): void {
  const { settings, chance } = workspace;
  const pairs = `SELECT u.guid AS user_entry, i.guid AS item_entry, u.fields ->> 'user' AS user, i.fields ->> 'item' AS item
    FROM trainingplans_users u JOIN trainingplans_items i ON i.owner = u.owner WHERE u.owner = ? AND NOT EXISTS (
      SELECT 1 FROM training_records r WHERE r.user_entry = u.guid AND r.item_entry = i.guid)`;
  for (const { user_entry: userEntry, item_entry: itemEntry, user, item } of settings.all(pairs, ownerGuid)) {
    const record = { guid: chance.guid(), ownerGuid, userEntry, itemEntry, fields: { user, item } };
    insertRecord(settings, planRecords, record as StoredRecord);
  }
}

const planQuality = owned(trainingPlans, 'quality', { one: 'a quality step', many: 'quality steps', ...QUALITY_LINK });

/** What belongs to training plans. */
export const partsOfTrainingPlans = [planQuality, planFiles, planItems, planUsers, planRecords];

/** The training plans of files and items. */
export const trainingPlanRelations = [
  inverse('/files/{guid}/trainingplans', planFiles),
  inverse('/items/{guid}/trainingplans', planItems),
  inverse('/items/{guid}/trainingrecords', planRecords),
];
