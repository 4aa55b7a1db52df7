import { checkBody } from '../documented/check-body.js';
import { type Answer, createAnswerer } from '../family/answer.js';
import { bodySchema } from '../family/routes.js';
import { createRecord } from '../family/write-record.js';
import { entryShape } from '../interface/endpoints.js';
import { refusal } from '../rules/service-error.js';
import type { Caller, Workspace } from '../rules/workspace.js';
import type { AddToChange } from '../store/imports.js';
import { selectOne } from '../store/select.js';
import { changes, refuseUnlessOpen } from './changes.js';

/** Refuses a change that does not exist, and a body that creates none. Call it in a transaction: it tries. */
export function checkAddToChange(workspace: Workspace, caller: Caller, named: AddToChange): void {
  if (typeof named === 'string') return void findChange(workspace, named);
  checkBody(bodySchema(changes), named);
  workspace.settings.exec('SAVEPOINT trial');
  try {
    createRecord(changes, { workspace, caller, body: named });
  } finally {
    workspace.settings.exec('ROLLBACK TO trial; RELEASE trial');
  }
}

/**
 * Returns the GUID of the change that a run adds its items to: the named one, which must be open, or for a committed
 * run a new one (wire-facts 4, "addToChange").
 */
export function changeOfRun(workspace: Workspace, caller: Caller, named: AddToChange, commit: boolean): string | null {
  if (typeof named !== 'string') {
    return commit ? String(createRecord(changes, { workspace, caller, body: named }).guid) : null;
  }
  const guid = findChange(workspace, named);
  refuseUnlessOpen(workspace.settings, guid);
  return guid;
}

/** Finds the GUID of a change that a definition names by GUID or number. */
function findChange({ settings }: Workspace, named: string): string {
  const sql = "t.guid = ? OR t.fields ->> '$.number' = ? COLLATE NOCASE";
  const row = selectOne(settings, changes.rows, { sql, values: [named.toUpperCase(), named] });
  if (row) return String(row.guid);
  throw refusal(3012, `There is no change with the GUID or number "${named}".`);
}

/** Shows the change of a run as lists do; undefined if it was deleted. */
export function showChange(workspace: Workspace, guid: string): Answer | undefined {
  const row = workspace.settings.get(changes.byGuid, guid);
  return row && createAnswerer(changes, { workspace, query: {} }, entryShape(changes.endpoints?.list))(row);
}
