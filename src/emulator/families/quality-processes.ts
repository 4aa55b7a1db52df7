import { documented, inverse, owned } from '../documented/documented.js';
import { nextNumber } from '../documented/numbering.js';
import { familyAt } from '../documented/registry.js';
import { hasSibling } from '../documented/siblings.js';
import type { Stated, StatusChanges } from '../documented/status-changes.js';
import type { Family } from '../family/family.js';
import type { AnswerContext, FieldFactory, StoredRecord, WriteRequest } from '../family/field.js';
import { findRecord, findRow, insertRecord, readRecord, updateRecord } from '../family/records.js';
import { Type } from '../routes/type.js';
import { zulu } from '../rules/date-times.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { textOrNull } from '../store/select.js';
import { personByGuid } from '../store/users.js';

type Values = Stated['fields'];

/** A step with the process that it belongs to. */
interface Step extends Stated {
  readonly ownerGuid: string;
}

const TEMPLATES = '/settings/qualityprocesses/templates';

/** Quality processes (wire-facts 8.7): a new one gets the steps of its template, and needs an owner. */
export const qualityProcesses = documented('/qualityprocesses', {
  one: 'a quality process',
  many: 'quality processes',
  clearable: ['description', 'type'],
  links: { template: TEMPLATES },
  shows: { currentStep: (_, { guid }, { workspace }) => ({ guid: openStep(workspace, guid) }) },
  begin: ({ owner, template }, writing) => {
    const { fields } = findTemplate(writing.workspace, template);
    if (fields.active === false) throw refusal(3087, 'The template is not active.');
    const chosen = owner ?? fields.defaultOwner;
    if (!chosen) throw refusal(3088, 'The process needs an owner, since its template has no default.');
    const number = nextNumber(writing, '/settings/qualityprocesses/numberformats', 3176);
    return { owner: chosen, number, status: 'OPEN', statusMode: 'AUTOMATIC' };
  },
  after: (process, writing) => {
    const { settings } = writing.workspace;
    if (settings.get('SELECT 1 FROM qualityprocesses_steps WHERE owner = ?', process.guid)) return;
    addSteps(process, writing);
  },
});

const findTemplate = (workspace: Workspace, guid: unknown): Stated =>
  findRecord(workspace, familyAt(TEMPLATES), String(guid)) as Stated;

/** The GUID of the first step that is open. */
function openStep({ settings }: Workspace, process: string): string | null {
  const sql = `SELECT guid FROM qualityprocesses_steps WHERE owner = ? AND fields ->> '$.status' = 'OPEN' ORDER BY seq`;
  return textOrNull(settings.get(sql, process) ?? {}, 'guid');
}

function addSteps(process: Stated, { workspace }: WriteRequest): void {
  const { fields } = findTemplate(workspace, process.fields.template);
  for (const step of (fields.steps ?? []) as readonly Values[]) {
    const { name, order, type } = step;
    const record = {
      guid: workspace.chance.guid(),
      ownerGuid: process.guid,
      fields: { name, order, type, status: 'OPEN' },
    };
    insertRecord(workspace.settings, steps, record as StoredRecord);
  }
}

/** The steps of processes: assignees, attributes and a due date until they are complete. */
const steps: Family = owned(qualityProcesses, 'steps', {
  one: 'a step',
  many: 'steps',
  clearable: ['dueDateTime'],
  shows: { assignees: (assignees, _, viewing) => showAssignees(assignees, viewing) },
  check: (step) => {
    if (step.fields.status === 'COMPLETE') throw refusal(3173, 'A complete step cannot be edited.');
    return step;
  },
});

function showAssignees(assignees: unknown, { workspace }: AnswerContext): unknown {
  if (assignees === null) return {};
  const { users, userGroups } = assignees as Readonly<
    Record<'users' | 'userGroups', readonly StoredRecord[] | undefined>
  >;
  const people = (users ?? []).map(({ guid }) => personByGuid(workspace.settings, guid));
  return { ...(users && { users: people }), ...(userGroups && { userGroups }) };
}

/** Completes and opens processes and steps; only the owner of a process and administrators may. */
export const qualityStatuses: StatusChanges = {
  path: '/qualityprocesses/statuschanges',
  family: qualityProcesses,
  by: 'qualityProcess',
  move: (process, writing) => {
    const { workspace, caller, body } = writing;
    const { step } = body.qualityProcess as { readonly step?: StoredRecord };
    if (process.fields.owner !== caller.guid && !caller.administrator) throw refuse.noPrivilege('complete the process');
    if (step) return moveStep(step.guid, process, writing);
    const status = body.complete === true ? 'COMPLETED' : 'OPEN';
    if (process.fields.status === status) {
      throw refusal(status === 'OPEN' ? 3291 : 3290, `The process is ${status} already.`);
    }
    return { status, completedDateTime: status === 'OPEN' ? null : zulu(workspace.clock()) };
  },
};

/** Completes or opens a step; an approval is never given by this call. */
function moveStep(guid: string, process: Stated, { workspace, caller, body }: WriteRequest): Values {
  const only = { sql: 't.owner = ?', values: [process.guid] };
  const step = steps.read(findRow(workspace, steps, guid, only)) as Step;
  const isComplete = body.complete === true;
  if (step.fields.type === 'SIGNOFF') throw refusal(3165, 'A sign-off step is completed by its decisions.');
  if ((step.fields.status === 'COMPLETE') === isComplete) throw refusal(3166, 'The step is in this state already.');
  const done = isComplete
    ? { status: 'COMPLETE', completeDateTime: zulu(workspace.clock()), completeUser: caller.guid }
    : { status: 'OPEN', completeDateTime: null, completeUser: null };
  updateRecord(workspace.settings, steps, { ...step, fields: { ...step.fields, ...done } } as StoredRecord, step);
  return {};
}

/** The collections of what a step can concern, each with the type that answers show. */
const AFFECTED: Readonly<Record<string, string>> = {
  ...{ '/items': 'ITEM', '/requests': 'REQUEST', '/changes': 'CHANGE', '/suppliers': 'SUPPLIER' },
  ...{ '/supplieritems': 'SUPPLIER ITEM', '/files': 'FILE', '/qualityprocesses': 'QUALITY' },
};

/** The process of a step, with the step, as reads from the other end show it. */
const processShown: FieldFactory<undefined> = (name) => ({
  name,
  documentedOnly: true,
  answer: Type.Unknown(),
  show: ({ owner }, viewing) => showStep(viewing, String(owner)),
});

function showStep({ workspace }: AnswerContext, guid: string): unknown {
  const step = readRecord(workspace.settings, steps, guid) as Step | undefined;
  const process = step && (readRecord(workspace.settings, qualityProcesses, step.ownerGuid) as StoredRecord as Stated);
  if (process === undefined) return null;
  const { creationDateTime } = process as Stated & { readonly creationDateTime: string };
  return { ...process.fields, creationDateTime, guid: process.guid, step: { guid, name: step?.fields.name } };
}

/** What a step concerns: an object of the workspace, which is named once, or an address. */
const affected: Family = owned(steps, 'affected', {
  one: 'an affected object',
  many: 'affected objects',
  fields: { qualityProcess: processShown },
  begin: (given, { workspace }) => {
    const object = given.affected as Partial<Record<'guid' | 'link', string>> | null;
    if (object === null) throw refuse.required('affected');
    if (object.guid === undefined) return { affected: { ...object, type: 'URL' } };
    return { affected: { ...object, type: typeOf(workspace, object.guid) } };
  },
  after: (entry, { workspace }) => {
    const { guid } = entry.fields.affected as Partial<StoredRecord>;
    if (hasSibling(workspace, affected, entry, 'affected.guid', guid ?? null))
      throw refusal(3160, 'The step names the object already.');
  },
});

function typeOf({ settings }: Workspace, guid: string): string {
  const path = Object.keys(AFFECTED).find((one) => settings.get(familyAt(one).byGuid, guid) !== undefined);
  if (path === undefined) throw refuse.guid(guid);
  return AFFECTED[path] ?? '';
}

const decisions = owned(steps, 'decisions', { one: 'a decision', many: 'decisions' });

/** A reference to a step of a process, which tickets and training plans have. */
export const QUALITY_LINK = {
  links: { quality: null },
  shows: {
    quality: (value: unknown, _: StoredRecord, viewing: AnswerContext) =>
      showStep(viewing, (value as { readonly step: StoredRecord }).step.guid),
  },
  check: <R extends { readonly fields: Values }>(link: R, { workspace }: WriteRequest): R => {
    const { guid, step } = link.fields.quality as StoredRecord & { readonly step?: StoredRecord };
    if (step === undefined || step === null) throw refuse.required('quality.step.guid');
    findRow(workspace, steps, step.guid, { sql: 't.owner = ?', values: [guid] });
    return link;
  },
} as const;

/** What belongs to quality processes. */
export const partsOfQualityProcesses = [steps, affected, decisions];

/** The quality processes that name an object. */
export const qualityRelations = [
  ...['items', 'requests', 'changes', 'suppliers', 'supplieritems'].map((root) => `/${root}/{guid}/quality`),
  '/files/{guid}/qualityprocesses',
].map((path) => inverse(path, affected, 'affected'));
