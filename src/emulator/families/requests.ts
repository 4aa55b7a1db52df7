import { documented, inverse, owned } from '../documented/documented.js';
import { nextNumber } from '../documented/numbering.js';
import { MARKUPS } from '../documented/registry.js';
import type { Stated, StatusChanges } from '../documented/status-changes.js';
import type { WriteRequest } from '../family/field.js';
import { zulu } from '../rules/date-times.js';
import { refusal, refuse } from '../rules/service-error.js';

const stateOf = ({ lifecycleStatus }: Stated['fields']): string => (lifecycleStatus as { readonly type: string }).type;

/** The states that follow each state (wire-facts 8.6). */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  UNSUBMITTED: ['SUBMITTED'],
  SUBMITTED: ['UNSUBMITTED', 'DEFERRED', 'PROMOTED', 'CLOSED'],
  DEFERRED: ['SUBMITTED', 'UNSUBMITTED'],
  PROMOTED: ['CLOSED'],
  CLOSED: ['PROMOTED'],
};

/** The values that a move needs, with the code of the refusal without them. */
const NEEDED: Readonly<Record<string, readonly (readonly [name: string, code: number])[]>> = {
  DEFERRED: [
    ['deferralCode', 4045],
    ['deferDeadlineDateTime', 4047],
  ],
  PROMOTED: [['resolutionCode', 4046]],
  CLOSED: [['resolutionCode', 4046]],
};

/** The values of the submission, and of a resolution, which a move back removes. */
const UNDECIDED = { deferralCode: null, deferDeadlineDateTime: null, resolutionCode: null };

/** Requests for changes (wire-facts 8.6). */
export const requests = documented('/requests', {
  one: 'a request',
  many: 'requests',
  world: 'REQUESTS',
  clearable: ['problem', 'requestedAction'],
  links: { evaluatorGroup: '/settings/requests/evaluatorgroups' },
  begin: (_, writing) => ({
    number: nextNumber(writing, '/settings/requests/numbersequences', 3003),
    lifecycleStatus: { type: 'UNSUBMITTED' },
    lifecycleDateTime: zulu(writing.workspace.clock()),
  }),
});

/** Moves a request to a state that follows its own. */
export const requestStatuses: StatusChanges = {
  path: '/requests/statuschanges',
  family: requests,
  by: 'request',
  move: ({ fields }, writing) => {
    const status = String(writing.body.status);
    if (MOVES[status] === undefined) throw refuse.option(status, 'status');
    if (!MOVES[stateOf(fields)]?.includes(status)) {
      throw refusal(4051, `A request that is ${stateOf(fields)} cannot become ${status}.`);
    }
    return { ...decision(status, writing), ...submission(status, fields, writing), lifecycleStatus: { type: status } };
  },
  show: ({ guid, number }, body) => ({ ...body, request: { guid, number } }),
};

function decision(status: string, { body }: WriteRequest): Readonly<Record<string, unknown>> {
  const needed = NEEDED[status] ?? [];
  for (const [name, code] of needed) if (!body[name]) throw refusal(code, `${status} needs "${name}".`);
  return { ...UNDECIDED, ...Object.fromEntries(needed.map(([name]) => [name, body[name]])) };
}

function submission(status: string, fields: Stated['fields'], { workspace, caller }: WriteRequest) {
  const at = zulu(workspace.clock());
  if (status === 'UNSUBMITTED') return { lifecycleDateTime: at, submissionDateTime: null, submitter: null };
  if (fields.submitter) return { lifecycleDateTime: at };
  return { lifecycleDateTime: at, submissionDateTime: at, submitter: caller.guid };
}

const requestFiles = owned(requests, 'files', {
  ...{ one: 'a file', many: 'files', once: ['file', 3097], unknown: { file: { of: MARKUPS, code: 3477 } } },
});
const requestItems = owned(requests, 'items', { one: 'an item', many: 'items', once: ['item', 4042] });

/** What belongs to requests. */
export const partsOfRequests = [requestFiles, requestItems];

/** The requests of files. */
export const requestRelations = [inverse('/files/{guid}/requests', requestFiles)];
