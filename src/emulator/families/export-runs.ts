import { setImmediate as breathe } from 'node:timers/promises';
import { derived } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import type { FieldFactory, RecordOf } from '../family/field.js';
import { json } from '../family/json-fields.js';
import { count, nullableNumber, serial } from '../family/plain-fields.js';
import { findRecord, insertRecord } from '../family/records.js';
import { creationTime, creator } from '../family/stamp-fields.js';
import { nullableText, plainText } from '../family/text-fields.js';
import { hidden } from '../family/traits.js';
import { Type } from '../routes/type.js';
import { candidates } from '../rules/criteria/candidates.js';
import { compileCriteria, type ItemTest } from '../rules/criteria/criteria.js';
import { loadNames } from '../rules/criteria/item-fields.js';
import { zulu } from '../rules/date-times.js';
import { parseFlag } from '../rules/search.js';
import { refusal, ServiceError } from '../rules/service-error.js';
import type { Caller, Workspace } from '../rules/workspace.js';
import { firstOpenRun, OPEN } from '../store/open-runs.js';
import { type ArchivedRun, runArchive } from '../store/run-files.js';
import { type ExportDefinition, exportDefinitions } from './export-definitions.js';

type Status = 'CREATED' | 'RUNNING' | 'COMPLETE' | 'DOWNLOADED' | 'FAILED' | 'ABORTED';

const fields = {
  number: serial(),
  definition: hidden(plainText({ declaration: 'TEXT NOT NULL REFERENCES export_definitions (guid)' })),
  status: plainText() as FieldFactory<Status>,
  /** The criteria that the run was created with, its own or the definition's. */
  criteria: json<readonly unknown[]>({ answer: Type.Array(Type.Unknown()) }),
  criteriaResultsCount: count(0, { column: 'results' }),
  /** The archive of a run that succeeded: its GUID, name and size in bytes. */
  file: hidden(nullableText()),
  title: hidden(nullableText()),
  size: hidden(nullableNumber()),
  files: derived<ArchivedRun>(Type.Array(Type.Object({ guid: Type.String(), title: Type.String() })), (run) => {
    const archive = runArchive(run);
    return archive === undefined ? [] : [{ guid: archive.guid, title: archive.title }];
  }),
  creationDateTime: creationTime(),
  completionDateTime: nullableText({ column: 'completed' }),
  creator: creator(),
};

/** A run of an export definition (wire-facts 5.1); it has a completion time only once it has ended. */
export type ExportRun = RecordOf<typeof fields>;

/** The number of the last run of a user and a definition that succeeded. */
const LATEST = `(SELECT max(l.number) FROM export_runs l WHERE l.definition = t.definition
  AND l.creator = t.creator AND l.status IN ('COMPLETE', 'DOWNLOADED'))`;

/** Export runs, each private to the user who started it (wire-facts 5.1). */
export const exportRuns = family({
  path: '/exports/:guid/runs',
  parameter: 'run',
  owner: exportDefinitions,
  ownedBy: 'definition',
  one: 'a run',
  many: 'your export runs',
  table: 'export_runs',
  capability: 'exportRuns',
  numbered: true,
  newestFirst: true,
  personal: 3024,
  fields,
  indexes: { export_runs_of_definition: 'definition, number', export_runs_open: `number WHERE ${OPEN.export_runs}` },
  search: {
    ...{ completionDateTimeFrom: 'dateTimeFrom', completionDateTimeTo: 'dateTimeTo' },
    ...{ number: 'number', status: 'choice' },
  },
  columns: { completionDateTimeFrom: 't.completed', completionDateTimeTo: 't.completed' },
  narrowed: {
    parameter: 'latestCompleted',
    clause: (latestCompleted) =>
      parseFlag({ latestCompleted }, 'latestCompleted', false)
        ? { sql: `t.number = ${LATEST}`, values: [] }
        : undefined,
  },
  summaries: { get: 'Get an export run', create: 'Start an export' },
});

const MOST_ITEMS = 20_000;
const MOST_WITH_LINES = 5000;

/** The body of a request for a run. */
export interface RunBody {
  readonly criteria?: readonly unknown[] | null;
}

/** A run that is allowed to start. */
export type PlannedExport = Pick<ExportRun, 'definition' | 'criteria' | 'criteriaResultsCount'>;

/**
 * Checks what a run would export. Its criteria come from the definition (3142 if from both) or from the run (3140 if
 * from neither), and they find 20,000 items at most, 5,000 with BOM or files. May read the whole workspace, with pauses
 * in which other requests are answered.
 */
export async function planExport(
  workspace: Workspace,
  guid: string,
  { criteria: given }: RunBody,
): Promise<PlannedExport> {
  const definition = findRecord(workspace, exportDefinitions, guid);
  const criteria = criteriaOf(definition, given ?? undefined);
  const criteriaResultsCount = await countItems(workspace, criteria, testOf(workspace, definition, criteria));
  if (criteriaResultsCount > MOST_ITEMS) throw refusal(3148, `An export holds ${MOST_ITEMS} items at most.`);
  if (hasLines(definition) && criteriaResultsCount > MOST_WITH_LINES) {
    const message = `An export of BOM or files holds ${MOST_WITH_LINES} items at most, not ${criteriaResultsCount}.`;
    throw refusal(3149, message);
  }
  return { definition: guid, criteria, criteriaResultsCount };
}

/** Records a run to be performed later and returns its GUID; refuses it with 3144 while another is in progress. */
export function startExport({ settings, clock, chance }: Workspace, caller: Caller, plan: PlannedExport): string {
  if (firstOpenRun(settings, 'export_runs') !== undefined) {
    throw refusal(3144, 'Another export is in progress; there can be only one.');
  }
  const guid = chance.guid();
  insertRecord(settings, exportRuns, {
    ...{ guid, status: 'CREATED', ...plan, file: null, title: null, size: null },
    ...{ creationDateTime: zulu(clock()), completionDateTime: null, creator: caller.guid },
  });
  return guid;
}

function criteriaOf({ criteria: own }: ExportDefinition, given?: readonly unknown[]): readonly unknown[] {
  if (own !== null && given !== undefined)
    throw refusal(3142, 'The definition has criteria; a run cannot override them.');
  const criteria = own ?? given ?? [];
  if (criteria.length === 0) throw refusal(3140, 'The definition has no criteria, so the run must have some.');
  return criteria;
}

/** Compiles criteria; those of a definition may name an attribute that was deleted since. */
function testOf(workspace: Workspace, definition: ExportDefinition, criteria: readonly unknown[]): ItemTest {
  try {
    return compileCriteria(criteria, loadNames(workspace.settings));
  } catch (error) {
    if (!definition.criteria || !(error instanceof ServiceError)) throw error;
    throw refusal(3146, `The criteria of the definition do not fit any more: ${error.message}`);
  }
}

async function countItems(workspace: Workspace, criteria: readonly unknown[], test: ItemTest): Promise<number> {
  let found = 0;
  for (const page of candidates(criteria, workspace.settings)) {
    found += page.filter(test).length;
    if (found > MOST_ITEMS) return found;
    await breathe();
  }
  return found;
}

function hasLines({ options }: ExportDefinition): boolean {
  return options.exportViews.some((view) => view.startsWith('BOM') || view.startsWith('FILES'));
}
