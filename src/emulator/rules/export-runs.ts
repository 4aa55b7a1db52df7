import { setImmediate as breathe } from 'node:timers/promises';
import { type ExportDefinition, exportDefinitions } from '../families/export-definitions.js';
import { findRecord } from '../family/records.js';
import { type ExportFile, type ExportRun, exportRunList, insertExportRun, setExportStatus } from '../store/exports.js';
import { selectOne, selectPage } from '../store/select.js';
import { candidates } from './criteria/candidates.js';
import { compileCriteria, type ItemTest } from './criteria/criteria.js';
import { loadNames } from './criteria/item-fields.js';
import { zulu } from './date-times.js';
import { isGuid } from './guid-source.js';
import { parseFlag, parseWholeSearch, type Query } from './search.js';
import { refuse, ServiceError } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

/** The parameter of run lists that is not a search. */
export const LATEST_COMPLETED = 'latestCompleted';

/** The searches of lists of export runs (wire-facts 5.1); any other is refused with 3019. */
export const EXPORT_RUN_SEARCH = {
  completionDateTimeFrom: 'dateTimeFrom',
  completionDateTimeTo: 'dateTimeTo',
  number: 'number',
  status: 'choice',
} as const;

/** Error codes (wire-facts 2.1 and 5.1). */
const CODES = {
  criteria: 3140,
  override: 3142,
  inProgress: 3144,
  broken: 3146,
  items: 3148,
  lines: 3149,
  notYours: 3024,
};
const MOST_ITEMS = 20_000;
const MOST_WITH_LINES = 5000;

/** A run that is allowed to start. */
export interface PlannedExport {
  readonly definition: ExportDefinition;
  readonly criteria: readonly unknown[];
  readonly criteriaResultsCount: number;
}

/** Lists the caller's own runs of a definition; those of other users are private (wire-facts 5.1). */
export function listExportRuns(workspace: Workspace, caller: Caller, definition: string, query: Query): ExportRun[] {
  findRecord(workspace, exportDefinitions, definition);
  const { latestCompleted, ...rest } = query;
  const mine = { sql: 'r.definition = ? AND r.creator = ?', values: [definition, caller.guid] };
  const latest = {
    sql: `r.number = (SELECT max(l.number) FROM export_runs l WHERE l.definition = r.definition
      AND l.creator = r.creator AND l.status IN ('COMPLETE', 'DOWNLOADED'))`,
    values: [],
  };
  const fixed = parseFlag({ latestCompleted }, LATEST_COMPLETED, false) ? [mine, latest] : [mine];
  return selectPage(workspace.settings, exportRunList, parseWholeSearch(rest, EXPORT_RUN_SEARCH), ...fixed);
}

/** Finds a run; refuses with 3024 a run that another user started (wire-facts 5.1). */
export function findExportRun(workspace: Workspace, caller: Caller, definition: string, guid: string): ExportRun {
  findRecord(workspace, exportDefinitions, definition);
  const condition = { sql: 'r.definition = ? AND r.guid = ?', values: [definition, guid] };
  const run = isGuid(guid) && selectOne(workspace.settings, exportRunList, condition);
  if (!run) throw refuse.guid(guid);
  if (run.creator.guid === caller.guid) return run;
  throw new ServiceError({ code: CODES.notYours, message: 'Only the user who started a run may read it.' });
}

/**
 * Checks what a run would export. Its criteria come from the definition (3142 if from both) or from the run (3140 if
 * from neither), and they find 20,000 items at most, 5,000 with BOM or files. May read the whole workspace, with pauses
 * in which other requests are answered.
 */
export async function planExport(workspace: Workspace, guid: string, body: unknown): Promise<PlannedExport> {
  const definition = findRecord(workspace, exportDefinitions, guid);
  const criteria = criteriaOf(definition, body);
  const criteriaResultsCount = await countItems(workspace, criteria, testOf(workspace, definition, criteria));
  if (criteriaResultsCount > MOST_ITEMS) {
    throw new ServiceError({ code: CODES.items, message: `An export holds ${MOST_ITEMS} items at most.` });
  }
  if (hasLines(definition) && criteriaResultsCount > MOST_WITH_LINES) {
    const message = `An export of BOM or files holds ${MOST_WITH_LINES} items at most, not ${criteriaResultsCount}.`;
    throw new ServiceError({ code: CODES.lines, message });
  }
  return { definition, criteria, criteriaResultsCount };
}

/** Records a run to be performed later; refuses it with 3144 while another is in progress. */
export function startExport(workspace: Workspace, caller: Caller, { definition, ...plan }: PlannedExport): ExportRun {
  const open = { sql: "r.status IN ('CREATED', 'RUNNING')", values: [] };
  if (selectOne(workspace.settings, exportRunList, open)) {
    throw new ServiceError({
      code: CODES.inProgress,
      message: 'Another export is in progress; there can be only one.',
    });
  }
  const guid = workspace.chance.guid();
  const run = { ...plan, guid, definition: definition.guid, creationDateTime: zulu(workspace.clock()) };
  insertExportRun(workspace.settings, run, caller.guid);
  return findExportRun(workspace, caller, definition.guid, guid);
}

/** Finds the archive of a run; refuses with 3011 any other GUID, and every GUID before the archive exists. */
export function findExportFile(run: ExportRun, guid: string): ExportFile {
  if (run.file?.guid !== guid) throw refuse.guid(guid);
  return run.file;
}

/** Sets a run to DOWNLOADED once its archive was fetched (interface 3.2). */
export function markDownloaded(workspace: Workspace, { guid, status }: ExportRun): void {
  if (status === 'COMPLETE') setExportStatus(workspace.settings, guid, 'DOWNLOADED');
}

function criteriaOf(definition: ExportDefinition, body: unknown): readonly unknown[] {
  const { criteria, ...rest } = (body ?? {}) as { readonly criteria?: unknown };
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw refuse.unrecognized(unknown);
  if (definition.criteria) {
    if (criteria === undefined || criteria === null) return definition.criteria;
    throw new ServiceError({
      code: CODES.override,
      message: 'The definition has criteria; a run cannot override them.',
    });
  }
  if (Array.isArray(criteria) && criteria.length > 0) return criteria;
  if (criteria !== undefined && criteria !== null && !Array.isArray(criteria)) {
    throw refuse.invalid('criteria', 'it is not an array.');
  }
  throw new ServiceError({
    code: CODES.criteria,
    message: 'The definition has no criteria, so the run must have some.',
  });
}

/** Compiles criteria; those of a definition may name an attribute that was deleted since. */
function testOf(workspace: Workspace, definition: ExportDefinition, criteria: readonly unknown[]): ItemTest {
  try {
    return compileCriteria(criteria, loadNames(workspace.settings));
  } catch (error) {
    if (!definition.criteria || !(error instanceof ServiceError)) throw error;
    const message = `The criteria of the definition do not fit any more: ${error.message}`;
    throw new ServiceError({ code: CODES.broken, message });
  }
}

async function countItems(workspace: Workspace, criteria: readonly unknown[], test: ItemTest): Promise<number> {
  let count = 0;
  for (const page of candidates(criteria, workspace.settings)) {
    count += page.filter(test).length;
    if (count > MOST_ITEMS) return count;
    await breathe();
  }
  return count;
}

function hasLines({ options }: ExportDefinition): boolean {
  return options.exportViews.some((view) => view.startsWith('BOM') || view.startsWith('FILES'));
}
