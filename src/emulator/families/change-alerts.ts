import { described } from '../documented/described.js';
import { findRecord } from '../family/records.js';
import { zulu } from '../rules/date-times.js';
import { changes } from './changes.js';

/** The dates of a change that must not have passed, each with its code (which of 5001 to 5003 is INFERRED). */
const DATES: readonly (readonly [name: string, code: number])[] = [
  ['approvalDeadlineDateTime', 5001],
  ['effectivityPlannedDateTime', 5002],
  ['expirationDateTime', 5003],
];

/** The children of a change's items that are unreleased and not in the change. */
const UNRELEASED = `SELECT p.number AS parent, c.number AS child FROM changes_items a
  JOIN items p ON p.guid = a.fields ->> '$.newItemRevision' JOIN bom_lines b ON b.parent = p.guid
  JOIN items c ON c.guid = b.child JOIN lifecycle_phases l ON l.guid = c.phase AND l.stage IN ('UNRELEASED', 'PRELIMINARY')
  WHERE a.owner = ? AND NOT EXISTS (
    SELECT 1 FROM changes_items o WHERE o.owner = a.owner AND o.fields ->> '$.newItemRevision' = c.guid
  ) ORDER BY a.seq, b.seq`;

/** What keeps a change from being submitted (wire-facts 8.5). */
export const changeAlerts = described(
  'GET /changes/{guid}/alerts',
  'List the alerts of a change',
  ({ workspace, params }) => {
    const { fields } = findRecord(workspace, changes, params.guid);
    const now = zulu(workspace.clock());
    const passed = DATES.filter(([name]) => typeof fields[name] === 'string' && String(fields[name]) < now);
    const unreleased = workspace.settings.all(UNRELEASED, params.guid);
    return [
      ...passed.map(([name, code]) => ({ code, message: `"${name}" has passed.` })),
      ...unreleased.map(({ child, parent }) => {
        return { code: 5183, message: `"${child}", which "${parent}" contains, is unreleased.` };
      }),
    ];
  },
);
