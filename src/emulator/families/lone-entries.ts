import { type Asked, type Described, described } from '../documented/described.js';
import { createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import { deleteRecord, findRow } from '../family/records.js';
import { replaceRecord } from '../family/write-record.js';
import { refuse } from '../rules/service-error.js';
import { selectAll, text } from '../store/select.js';
import { taskFiles, taskNotes, tasks } from './changes.js';

const TASK = '/changes/{guid}/implementationtasks/{guid}';

/** The only entry of a task; without a GUID in the path, none of several is meant. */
function loneEntry({ workspace, params: { guid, member } }: Asked, { rows }: Family): string {
  findRow(workspace, tasks, member, { sql: 't.owner = ?', values: [guid] });
  const [entry, ...others] = selectAll(workspace.settings, rows, { sql: 't.owner = ?', values: [member] });
  if (entry === undefined || others.length > 0) throw refuse.required('guid');
  return text(entry, 'guid');
}

const removal = (segment: string, family: Family): Described =>
  described(`DELETE ${TASK}/${segment}`, `Delete the only one of the ${family.many}`, (asked) =>
    deleteRecord(asked.workspace.settings, family, loneEntry(asked, family)),
  );

/** Writes whose paths are published without their last GUID (endpoints.md, "Slips"). */
export const loneEntries: readonly Described[] = [
  removal('files', taskFiles),
  removal('notes', taskNotes),
  described(`PUT ${TASK}/notes`, 'Replace the only note of a task', (asked) => {
    const row = replaceRecord(taskNotes, asked, loneEntry(asked, taskNotes));
    return createAnswerer(taskNotes, asked)(row);
  }),
];
