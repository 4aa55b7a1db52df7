import { family } from '../family/family.js';
import type { FieldFactory, RecordOf } from '../family/field.js';
import { json } from '../family/json-fields.js';
import { nullableNumber } from '../family/plain-fields.js';
import { findRecord, insertRecord } from '../family/records.js';
import { creator } from '../family/stamp-fields.js';
import { nullableText, plainText } from '../family/text-fields.js';
import { hidden } from '../family/traits.js';
import { Type } from '../routes/type.js';
import { zulu } from '../rules/date-times.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Caller, Workspace } from '../rules/workspace.js';
import type { ExtractType } from '../store/extracts.js';
import { OPEN } from '../store/open-runs.js';
import { selectOne } from '../store/select.js';
import { extracts } from './extracts.js';

type Status = 'IN_PROCESS' | 'COMPLETED' | 'FAILED' | 'ABORTED';

const fields = {
  extract: hidden(plainText({ declaration: 'TEXT NOT NULL REFERENCES extracts (guid)' })),
  status: plainText() as FieldFactory<Status>,
  /** The type of the extract at the time of the request. */
  type: plainText() as FieldFactory<ExtractType>,
  viewsExtracted: json<readonly string[]>({ column: 'views', answer: Type.Array(Type.String()) }),
  scheduledDateTime: plainText({ column: 'scheduled' }),
  runDateTime: nullableText({ column: 'started' }),
  completionDateTime: nullableText({ column: 'completed' }),
  creator: creator(),
  /** The archive of a completed run: its GUID, name and size in bytes. */
  file: hidden(nullableText()),
  title: hidden(nullableText({ column: 'file_name' })),
  size: hidden(nullableNumber()),
  downloadDateTime: hidden(nullableText({ column: 'downloaded' })),
};

/** A run of an extract (wire-facts 5.2). */
export type ExtractRun = RecordOf<typeof fields>;

const TIMES = { scheduled: 'scheduled', run: 'started', completion: 'completed', download: 'downloaded' } as const;

/** The columns of the ends of ranges of time that runs are searched by. */
const ENDS = Object.fromEntries(
  Object.entries(TIMES).flatMap(([name, column]) =>
    ['From', 'To'].map((end) => [`${name}DateTime${end}`, `t.${column}`] as const),
  ),
);

/** Extract runs; searches name the states InProcess, Completed and so on (wire-facts 5.2). */
export const extractRuns = family({
  path: '/extracts/:guid/runs',
  parameter: 'run',
  owner: extracts,
  ownedBy: 'extract',
  one: 'an extract run',
  many: 'extract runs',
  table: 'extract_runs',
  capability: 'extractRuns',
  paged: true,
  newestFirst: true,
  fields,
  indexes: { extract_runs_of_extract: 'extract, seq', extract_runs_open: `seq WHERE ${OPEN.extract_runs}` },
  search: {
    status: 'state',
    ...Object.fromEntries(
      Object.keys(ENDS).map((end) => [end, end.endsWith('From') ? 'dateTimeFrom' : 'dateTimeTo'] as const),
    ),
  },
  columns: { status: "replace(t.status, '_', '')", ...ENDS },
  summaries: { create: 'Run an extract now' },
});

/** Finds the newest completed run; refuses with 3011 an unknown extract, with 3012 one that has no such run yet. */
export function latestCompletedRun(workspace: Workspace, extract: string) {
  findRecord(workspace, extracts, extract);
  const condition = { sql: "t.extract = ? AND t.status = 'COMPLETED'", values: [extract] };
  const row = selectOne(workspace.settings, extractRuns.rows, condition);
  if (!row) throw refusal(3012, 'The extract has no completed run yet.');
  return row;
}

/** Records a run to be performed later, in the order of the requests, and returns its GUID. */
export function startExtractRun(workspace: Workspace, caller: Caller, extract: string): string {
  const { type, enabled } = findRecord(workspace, extracts, extract);
  if (!enabled) throw refuse.invalid('enabled', 'an extract that is disabled cannot run.');
  const guid = workspace.chance.guid();
  insertRecord(workspace.settings, extractRuns, {
    ...{ guid, extract, type, status: 'IN_PROCESS', viewsExtracted: [], creator: caller.guid },
    ...{ scheduledDateTime: zulu(workspace.clock()), runDateTime: null, completionDateTime: null },
    ...{ file: null, title: null, size: null, downloadDateTime: null },
  });
  return guid;
}

/**
 * Allows a download only to the owner of the extract, who is its creator (interface 9, 2025-07-27; wire-facts 5.2: 3017
 * before the run is completed).
 */
export function allowDownload(workspace: Workspace, caller: Caller, { extract, status, guid }: ExtractRun): void {
  if (findRecord(workspace, extracts, extract).creator !== caller.guid) {
    throw refusal(3024, 'Only the owner of an extract may read its files.');
  }
  if (status !== 'COMPLETED') throw notDownloadable(guid);
}

/** Builds the refusal with 3017 (wire-facts 5.2), also for an archive that is no longer on the disk. */
export const notDownloadable = (guid: string): Error =>
  refusal(3017, `The file of "${guid}" cannot be downloaded: the run is not completed, or the file is gone.`);
