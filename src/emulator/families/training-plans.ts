import { documented, inverse, owned } from '../documented/documented.js';
import { nextNumber } from '../documented/numbering.js';
import type { Stated, StatusChanges } from '../documented/status-changes.js';
import type { WriteRequest } from '../family/field.js';
import { refusal, refuse } from '../rules/service-error.js';
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
const planItems = owned(trainingPlans, 'items', { one: 'an item', many: 'items', once: ['item', 4222] });
const planUsers = owned(trainingPlans, 'users', { one: 'a user', many: 'users', once: ['user', 4220] });
const planRecords = owned(trainingPlans, 'records', { one: 'a training record', many: 'training records' });

const planQuality = owned(trainingPlans, 'quality', { one: 'a quality step', many: 'quality steps', ...QUALITY_LINK });

/** What belongs to training plans. */
export const partsOfTrainingPlans = [planQuality, planFiles, planItems, planUsers, planRecords];

/** The training plans of files and items. */
export const trainingPlanRelations = [
  inverse('/files/{guid}/trainingplans', planFiles),
  inverse('/items/{guid}/trainingplans', planItems),
];
