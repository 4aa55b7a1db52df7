import { documented, inverse, owned } from '../documented/documented.js';
import { nextNumber } from '../documented/numbering.js';
import { MARKUPS } from '../documented/registry.js';
import type { Stated, StatusChanges } from '../documented/status-changes.js';
import type { Family } from '../family/family.js';
import type { StoredRecord, WriteRequest } from '../family/field.js';
import { findRecord, readRecord, selectRecords, updateRecord } from '../family/records.js';
import { zulu } from '../rules/date-times.js';
import { findCategory } from '../rules/item-settings.js';
import { releaseItem } from '../rules/release-item.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Database } from '../store/database.js';
import { effectiveRevision, findRevision, setDeviated } from '../store/item-revisions.js';
import { selectAll } from '../store/select.js';
import { ALWAYS_EDITABLE, changeState, DELETABLE, MOVES, OPEN, REQUESTED } from './change-workflow.js';
import { items } from './items.js';
import { type LifecyclePhase, lifecyclePhases } from './lifecycle-phases.js';

type Values = Stated['fields'];

const EFFECTIVITY = ['PERMANENT_ON_APPROVAL', 'PERMANENT_ON_DATE', 'TEMPORARY'];

/** Changes of items (wire-facts 8.5). */
export const changes = documented('/changes', {
  one: 'a change',
  many: 'changes',
  world: 'CHANGES',
  clearable: ['implementationStatus', 'approvalDeadlineDateTime', 'title', 'description'],
  links: { routings: '/settings/changes/routings', routingAdmins: '/settings/users' },
  begin: (_, writing) => ({
    number: nextNumber(writing, '/settings/changes/numbersequenceprefixes', 4012),
    lifecycleStatus: { type: OPEN },
    lifecycleDateTime: zulu(writing.workspace.clock()),
    implementationStatus: 'NOT_STARTED',
  }),
  check: (change, writing) => {
    const { fields } = change;
    if (changeState(fields) !== OPEN) refuseLateEdit(writing);
    checkEffectivity(fields);
    findCategory(writing.workspace, String((change as Values).category), 'CHANGES');
    return change;
  },
  refuseDelete: ({ fields }) => {
    if (DELETABLE.includes(changeState(fields))) return;
    throw refusal(4010, `A change that is ${changeState(fields)} cannot be deleted.`);
  },
});

function refuseLateEdit({ body }: WriteRequest): void {
  const late = Object.keys(body).find((name) => !ALWAYS_EDITABLE.includes(name));
  if (late !== undefined) throw refusal(4017, `"${late}" cannot be changed once the change was submitted.`);
}

/** The dates that a kind of effectivity needs. */
function checkEffectivity(fields: Values): void {
  const type = String(fields.effectivityType);
  if (!EFFECTIVITY.includes(type)) throw refuse.option(type, 'effectivityType');
  if (type === 'PERMANENT_ON_DATE' && !fields.effectivityPlannedDateTime) {
    throw refuse.required('effectivityPlannedDateTime');
  }
  if (type === 'TEMPORARY' && !fields.expirationDateTime) throw refuse.required('expirationDateTime');
  if (fields.enforceApprovalDeadline === true && !fields.approvalDeadlineDateTime) {
    throw refusal(3250, 'An enforced deadline needs "approvalDeadlineDateTime".');
  }
}

/** Moves a change through its workflow; only administrators approve and reject. */
export const changeStatuses: StatusChanges = {
  path: '/changes/statuschanges',
  family: changes,
  by: 'change',
  move: (change, writing) => {
    const { fields } = change;
    const asked = String(writing.body.status);
    const before = changeState(fields);
    const next = MOVES[before]?.[asked];
    if (!REQUESTED.has(asked)) throw refuse.option(asked, 'status');
    if (next === undefined) throw refusal(3145, `A change that is ${before} cannot become ${asked}.`);
    refuseMove(next, before, fields, writing);
    if (next === 'EXPIRED' || (next === 'EFFECTIVE' && before !== 'COMPLETED')) applyToItems(next, change, writing);
    return {
      lifecycleStatus: { type: next },
      lifecycleDateTime: zulu(writing.workspace.clock()),
      ...datesOf(next, writing),
    };
  },
  show: ({ guid, number, lifecycleStatus, url }, body) => ({
    ...body,
    change: { guid, number },
    status: (lifecycleStatus as { readonly type: string }).type,
    url,
  }),
};

function refuseMove(next: string, before: string, { effectivityType }: Values, { caller }: WriteRequest): void {
  const isDecision = before === 'SUBMITTED_FOR_APPROVAL' && next !== OPEN;
  if (isDecision && !caller.administrator) throw refusal(4902, 'Only an administrator may force a decision.');
  if (next === 'EXPIRED' && effectivityType !== 'TEMPORARY') throw refusal(4897, 'Only a temporary change expires.');
  if (before === 'COMPLETED' && effectivityType === 'TEMPORARY') {
    throw refusal(4899, 'A temporary change that is completed stays so.');
  }
}

function datesOf(next: string, { workspace, caller, body }: WriteRequest): Values {
  const at = zulu(workspace.clock());
  const { value } = (body.implementationStatus ?? {}) as { readonly value?: string };
  const implementation = value === undefined ? {} : { implementationStatus: value };
  switch (next) {
    case 'SUBMITTED_FOR_APPROVAL':
      return { ...implementation, submissionDateTime: at, submitter: caller.guid };
    case OPEN:
      return { ...implementation, submissionDateTime: null, submitter: null, withdrawnDateTime: at };
    case 'EFFECTIVE':
      return { ...implementation, effectiveDateTime: at };
    default:
      return implementation;
  }
}

const changeFiles = owned(changes, 'files', {
  ...{ one: 'a file', many: 'files', once: ['file', 3097], unknown: { file: { of: MARKUPS, code: 3138 } } },
});
const implementationFiles = owned(changes, 'implementationfiles', {
  ...{ one: 'an implementation file', many: 'implementation files', once: ['file', 3097] },
});
const changeRequests = owned(changes, 'requests', { one: 'a request', many: 'requests', once: ['request', 3992] });

/** Returns a change; refuses with 4013 one whose items cannot be edited. */
export function refuseUnlessOpen(settings: Database, guid: string): Stated {
  const change = readRecord(settings, changes, guid) as StoredRecord as Stated | undefined;
  if (change === undefined) throw refuse.guid(guid);
  if (changeState(change.fields) === OPEN) return change;
  throw refusal(4013, `The change ${change.fields.number} is not open and unlocked.`);
}

/** The items of a change that is open: a working revision is in a change once, and its views say what changes. */
export const changeItems: Family = owned(changes, 'items', {
  ...{ one: 'an item', many: 'items', once: ['newItemRevision', 4005] },
  links: {
    ...{ newItemRevision: '/items', affectedItemRevision: '/items' },
    newLifecyclePhase: '/settings/items/lifecyclephases',
  },
  begin: ({ newItemRevision }, { workspace }) => ({
    affectedItemRevision: effectiveRevision(workspace.settings, String(newItemRevision))?.guid ?? null,
  }),
  check: (item, { workspace }) => {
    const { fields } = refuseUnlessOpen(workspace.settings, item.ownerGuid);
    const { newItemRevision, affectedItemRevision } = item.fields;
    if (findRevision(workspace.settings, String(newItemRevision))) {
      throw refusal(4021, 'A change takes the working revision of an item.');
    }
    if (fields.effectivityType === 'TEMPORARY' && !affectedItemRevision) {
      throw refusal(4060, 'A temporary change takes no unreleased item.');
    }
    return item;
  },
});

/**
 * Makes a new revision of each item of a change effective; a temporary change makes none, but the effective ones
 * deviate until it expires (wire-facts 8.5).
 */
function applyToItems(next: string, { guid, fields, ...change }: Stated, writing: WriteRequest): void {
  const { workspace } = writing;
  const { settings } = workspace;
  const entries = selectAll(settings, changeItems.rows, { sql: 't.owner = ?', values: [guid] });
  for (const entry of entries.map(changeItems.read) as StoredRecord[] as Stated[]) {
    const item = String(entry.fields.newItemRevision);
    if (fields.effectivityType === 'TEMPORARY') {
      setDeviated(settings, item, next === 'EFFECTIVE');
      continue;
    }
    const { creationDateTime } = change as { readonly creationDateTime?: string };
    const at = zulu(workspace.clock());
    const shown = { number: fields.number, creationDateTime, effectiveDateTime: at, deviated: false };
    const released = releaseItem(writing, {
      ...{ item, from: item, phase: phaseAfter(workspace, item, entry.fields.newLifecyclePhase), change: shown },
      revision: entry.fields.newRevisionNumber as string | null,
    });
    const revisions = { newItemRevision: released.effective, affectedItemRevision: released.superseded };
    updateRecord(settings, changeItems, { ...entry, fields: { ...entry.fields, ...revisions } } as StoredRecord, entry);
  }
}

/** The phase that an item enters: the one that a change names, or its own; an unreleased item enters design. */
function phaseAfter(workspace: Workspace, item: string, named: unknown): LifecyclePhase {
  if (typeof named === 'string') return findRecord(workspace, lifecyclePhases, named);
  const { lifecyclePhase } = findRecord(workspace, items, item);
  const phases = selectRecords(workspace.settings, lifecyclePhases);
  const own = phases.find(({ guid, stage }) => guid === lifecyclePhase && stage !== 'UNRELEASED');
  const [first] = phases.filter(({ stage }) => stage === 'DESIGN');
  if (own ?? first) return (own ?? first) as LifecyclePhase;
  throw refuse.required('newLifecyclePhase.guid');
}

export const tasks = owned(changes, 'implementationtasks', {
  ...{ one: 'a task', many: 'tasks' },
  begin: ({ status }) => ({ status: status ?? 'NOT_STARTED' }),
});
export const taskFiles = owned(tasks, 'files', { one: 'a file', many: 'files', once: ['file', 3097] });
export const taskNotes = owned(tasks, 'notes', { one: 'a note', many: 'notes' });

/** What belongs to changes. */
export const partsOfChanges = [
  changeItems,
  changeFiles,
  implementationFiles,
  changeRequests,
  tasks,
  taskFiles,
  taskNotes,
];

/** The condition that a change that has not become effective has an item, by its working revision. */
const inFuture = (item: string) => ({
  sql: `t.fields ->> '$.newItemRevision' = ? AND EXISTS (SELECT 1 FROM changes c WHERE c.guid = t.owner
    AND c.fields ->> '$.lifecycleStatus.type' NOT IN ('EFFECTIVE', 'COMPLETED', 'EXPIRED', 'CANCELED'))`,
  values: [item],
});

/** The changes of files, requests and items. */
export const changeRelations = [
  inverse('/files/{guid}/changereferences', changeFiles),
  inverse('/files/{guid}/changeimplementations', implementationFiles),
  inverse('/requests/{guid}/changes', changeRequests),
  inverse('/items/{guid}/futurechanges', changeItems, 'newItemRevision', inFuture),
];
