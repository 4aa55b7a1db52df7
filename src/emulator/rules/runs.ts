import { type FileType, type ImportRun, insertRun, reopenForCommit, runList } from '../store/imports.js';
import { selectOne, selectPage } from '../store/select.js';
import { zulu } from './date-times.js';
import { findDefinition } from './definitions.js';
import { isGuid } from './guid-source.js';
import { parseWholeSearch, type Query } from './search.js';
import { refuse, ServiceError } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

/** The parts of a run's form other than its file (wire-facts 4). */
export interface RunForm {
  readonly commit?: string;
  readonly submitFileType?: string;
  readonly submitWorksheetName?: string;
}

/** Returns the GUID of the change that a run adds its items to, which a committed run may create. */
export type ChangeOf = (commit: boolean) => string | null;

const FILE_TYPES: readonly FileType[] = ['CSV', 'EXCEL_WORKSHEET'];

/** The searches of lists of import runs; any other is refused with 3019. */
export const RUN_SEARCH = {
  number: 'number',
  status: 'choice',
  'creator.guid': 'text',
  'creator.email': 'text',
  'creator.fullName': 'text',
} as const;

/** Lists all runs of a definition, the newest first, never paged (wire-facts 3, "Not paginated"). */
export function listRuns(workspace: Workspace, definition: string, query: Query): ImportRun[] {
  findDefinition(workspace, definition);
  const fixed = { sql: 'r.definition = ?', values: [definition] };
  return selectPage(workspace.settings, runList, parseWholeSearch(query, RUN_SEARCH), fixed);
}

/** Finds the run with a GUID; refuses with 3011 an unknown definition, and a run that does not belong to it. */
export function findRun(workspace: Workspace, definition: string, guid: string): ImportRun {
  findDefinition(workspace, definition);
  const condition = { sql: 'r.definition = ? AND r.guid = ?', values: [definition, guid] };
  const run = isGuid(guid) && selectOne(workspace.settings, runList, condition);
  if (!run) throw refuse.guid(guid);
  return run;
}

/**
 * Records a run whose file was received under `guid`, to be processed later. Without the part `commit`, the run is
 * committed (wire-facts 4, "as query": commit defaults to true).
 */
export function startRun(
  workspace: Workspace,
  caller: Caller,
  definition: string,
  guid: string,
  form: RunForm,
  changeOf: ChangeOf,
): ImportRun {
  findDefinition(workspace, definition);
  const checked = checkedForm(form);
  const run = {
    guid,
    definition,
    ...checked,
    change: changeOf(checked.commit),
    submitWorksheetName: form.submitWorksheetName ?? null,
    creationDateTime: zulu(workspace.clock()),
  };
  insertRun(workspace.settings, run, caller.guid);
  return findRun(workspace, definition, guid);
}

/**
 * Commits a validated run: its rows are validated again and the valid ones applied (wire-facts 0). Refuses with 3519
 * unless `commit` is true, with 3518 before the run is COMPLETE; a committed run stays as it is.
 */
export function commitRun(
  workspace: Workspace,
  definition: string,
  guid: string,
  commit: boolean,
  changeOf: ChangeOf,
): ImportRun {
  const run = findRun(workspace, definition, guid);
  if (!commit) throw new ServiceError({ code: 3519, message: 'Only "commit": true can be set.' });
  if (run.commit) return run;
  if (run.status !== 'COMPLETE') {
    throw new ServiceError({
      code: 3518,
      message: `A run that is ${run.status} cannot be committed, only a COMPLETE one.`,
    });
  }
  reopenForCommit(workspace.settings, guid, changeOf(true));
  return findRun(workspace, definition, guid);
}

/** Finds a run whose report exists; refuses it with 3520 before that. */
export function finishedRun(workspace: Workspace, definition: string, guid: string): ImportRun {
  const run = findRun(workspace, definition, guid);
  if (run.status === 'COMPLETE') return run;
  throw new ServiceError({ code: 3520, message: `A run that is ${run.status} has no result, only a COMPLETE one.` });
}

function checkedForm(form: RunForm): { commit: boolean; submitFileType: FileType | null } {
  const { commit = 'true', submitFileType } = form;
  if (commit !== 'true' && commit !== 'false') throw refuse.invalid('commit', `"${commit}" is neither true nor false.`);
  if (submitFileType === undefined) return { commit: commit === 'true', submitFileType: null };
  const known = FILE_TYPES.find((type) => type === submitFileType.toUpperCase());
  if (known === undefined) throw refuse.option(submitFileType, 'submitFileType');
  return { commit: commit === 'true', submitFileType: known };
}
