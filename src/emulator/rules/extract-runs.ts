import { extracts } from '../families/extracts.js';
import { findRecord } from '../family/records.js';
import {
  type ExtractFile,
  type ExtractRun,
  extractRunList,
  insertExtractRun,
  recordDownload,
} from '../store/extracts.js';
import { selectOne, selectPage } from '../store/select.js';
import { zulu } from './date-times.js';
import { isGuid } from './guid-source.js';
import { parseSearch, type Query } from './search.js';
import { refuse, ServiceError } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

/** The searches of lists of extract runs (wire-facts 5.2). */
export const EXTRACT_RUN_SEARCH = {
  status: 'choice',
  scheduledDateTimeFrom: 'dateTimeFrom',
  scheduledDateTimeTo: 'dateTimeTo',
  runDateTimeFrom: 'dateTimeFrom',
  runDateTimeTo: 'dateTimeTo',
  completionDateTimeFrom: 'dateTimeFrom',
  completionDateTimeTo: 'dateTimeTo',
  downloadDateTimeFrom: 'dateTimeFrom',
  downloadDateTimeTo: 'dateTimeTo',
} as const;

const CODES = { notDownloadable: 3017, notYours: 3024 };

/**
 * Lists one page of the runs of an extract, the newest first. Statuses can be searched for with or without their
 * underscore (wire-facts 5.2 has `InProcess`).
 */
export function listExtractRuns(workspace: Workspace, extract: string, query: Query): ExtractRun[] {
  findRecord(workspace, extracts, extract);
  const { status } = query;
  const plain = typeof status === 'string' ? { ...query, status: status.replaceAll('_', '') } : query;
  const fixed = { sql: 'r.extract = ?', values: [extract] };
  return selectPage(workspace.settings, extractRunList, parseSearch(plain, EXTRACT_RUN_SEARCH), fixed);
}

/** Finds the run with a GUID; refuses with 3011 an unknown extract, and a run that does not belong to it. */
export function findExtractRun(workspace: Workspace, extract: string, guid: string): ExtractRun {
  findRecord(workspace, extracts, extract);
  const condition = { sql: 'r.extract = ? AND r.guid = ?', values: [extract, guid] };
  const run = isGuid(guid) && selectOne(workspace.settings, extractRunList, condition);
  if (!run) throw refuse.guid(guid);
  return run;
}

/** Finds the newest completed run; refuses with 3011 an unknown extract, with 3012 one that has no such run yet. */
export function latestCompletedRun(workspace: Workspace, extract: string): ExtractRun {
  findRecord(workspace, extracts, extract);
  const condition = { sql: "r.extract = ? AND r.status = 'COMPLETED'", values: [extract] };
  const run = selectOne(workspace.settings, extractRunList, condition);
  if (!run) throw new ServiceError({ code: 3012, message: 'The extract has no completed run yet.' });
  return run;
}

/** Records a run to be performed later, in the order of the requests. */
export function startExtractRun(workspace: Workspace, caller: Caller, extract: string): ExtractRun {
  const { type, enabled } = findRecord(workspace, extracts, extract);
  if (!enabled) throw refuse.invalid('enabled', 'an extract that is disabled cannot run.');
  const guid = workspace.chance.guid();
  const run = { guid, extract, type, scheduledDateTime: zulu(workspace.clock()) };
  insertExtractRun(workspace.settings, run, caller.guid);
  return findExtractRun(workspace, extract, guid);
}

/** Finds the archive of a run; refuses with 3011 any other GUID, and every GUID before the archive exists. */
export function findExtractFile({ file }: ExtractRun, guid: string): ExtractFile {
  if (!file || file.guid !== guid) throw refuse.guid(guid);
  return file;
}

/**
 * Allows a download only to the owner of the extract, who is its creator (interface 9, 2025-07-27; wire-facts 5.2: 3017
 * before the run is completed).
 */
export function allowDownload(workspace: Workspace, caller: Caller, extract: string, run: ExtractRun): void {
  if (findRecord(workspace, extracts, extract).creator !== caller.guid) {
    throw new ServiceError({ code: CODES.notYours, message: 'Only the owner of an extract may read its files.' });
  }
  if (run.status !== 'COMPLETED') throw notDownloadable(run.guid);
}

/** Builds the refusal with 3017 (wire-facts 5.2), also for an archive that is no longer on the disk. */
export function notDownloadable(guid: string): ServiceError {
  const message = `The file of "${guid}" cannot be downloaded: the run is not completed, or the file is gone.`;
  return new ServiceError({ code: CODES.notDownloadable, message });
}

/** Records only the time of the last download, by which runs can be searched (wire-facts 5.2). */
export function noteDownload(workspace: Workspace, run: ExtractRun): void {
  recordDownload(workspace.settings, run.guid, zulu(workspace.clock()));
}
