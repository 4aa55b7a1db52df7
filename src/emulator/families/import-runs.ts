import { derived } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import type { FieldFactory, RecordOf } from '../family/field.js';
import { json } from '../family/json-fields.js';
import { count, flag, serial } from '../family/plain-fields.js';
import { findRecord, insertRecord, setFields } from '../family/records.js';
import { creationTime, creator } from '../family/stamp-fields.js';
import { nullableText, plainText } from '../family/text-fields.js';
import { hidden } from '../family/traits.js';
import { listEnvelope, nullable, page } from '../routes/schemas.js';
import { Type } from '../routes/type.js';
import { zulu } from '../rules/date-times.js';
import { choose } from '../rules/enumeration-value.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Caller, Workspace } from '../rules/workspace.js';
import { FILE_TYPES, type FileType, type Warning } from '../store/imports.js';
import { OPEN } from '../store/open-runs.js';
import { importDefinitions } from './import-definitions.js';

type Status = 'CREATED' | 'RUNNING' | 'COMPLETE' | 'ERROR' | 'PURGED';

/** The number of failed rows, which appears once the run has ended (interface 2.2). */
const errorCount: FieldFactory<number> = (name) => ({
  ...count(0, { column: 'failed' })(name),
  answer: Type.Optional(Type.Integer()),
  show: (_, __, record) => (hasEnded(record() as ImportRun) ? (record() as ImportRun).errorCount : undefined),
});

const fields = {
  number: serial(),
  definition: hidden(plainText({ declaration: 'TEXT NOT NULL REFERENCES import_definitions (guid)' })),
  status: plainText() as FieldFactory<Status>,
  commit: flag(true, { column: 'committed' }),
  submitFileType: nullableText({ column: 'file_type' }) as FieldFactory<FileType | null>,
  submitWorksheetName: nullableText({ column: 'worksheet' }),
  totalCount: count(0, { column: 'total' }),
  successCount: count(0, { column: 'success' }),
  errorCount,
  warnings: json<readonly Warning[]>({
    answer: listEnvelope(Type.Object({ code: Type.Integer(), message: Type.String() })),
    show: page,
  }),
  options: derived<{ readonly definition: string }>(
    Type.Object({
      timeZone: nullable(Type.String()),
      addToChange: nullable(Type.Object({ number: Type.String() })),
    }),
    ({ definition }, _, { workspace }) => {
      const { timeZone = null } = findRecord(workspace, importDefinitions, definition).options;
      return { timeZone, addToChange: null };
    },
  ),
  /** The GUID of the change that its items are added to. */
  change: hidden(nullableText()),
  changes: derived<{ readonly change: string | null }>(Type.Array(Type.Unknown()), ({ change }) =>
    change === null ? [] : [{ guid: change }],
  ),
  creationDateTime: creationTime(),
  completionDateTime: nullableText({ column: 'completed' }),
  creator: creator(),
};

/** A run of a definition (interface 2.2). While it is RUNNING, its counts say how far it got. */
export type ImportRun = RecordOf<typeof fields>;

/** Import runs, never paged (interface 2.2, 2.3; wire-facts 3, "Not paginated", and 4). */
export const importRuns = family({
  path: '/imports/:guid/runs',
  parameter: 'run',
  owner: importDefinitions,
  ownedBy: 'definition',
  one: 'a run',
  many: 'runs',
  table: 'import_runs',
  capability: 'importRuns',
  numbered: true,
  newestFirst: true,
  fields,
  indexes: { import_runs_of_definition: 'definition, number', import_runs_open: `number WHERE ${OPEN.import_runs}` },
  search: {
    ...{ number: 'number', status: 'choice' },
    ...{ 'creator.guid': 'text', 'creator.email': 'text', 'creator.fullName': 'text' },
  },
  summaries: { create: 'Submit a file to a definition', update: 'Commit a run' },
});

/** The counts of a run that has not read a row. */
export const NO_ROWS = { totalCount: 0, successCount: 0, errorCount: 0 };

/** The parts of a run's form other than its file (wire-facts 4). */
export interface RunForm {
  readonly commit?: string;
  readonly submitFileType?: string;
  readonly submitWorksheetName?: string;
}

/** Returns the GUID of the change that a run adds its items to, which a committed run may create. */
export type FindChange = (commit: boolean) => string | null;

/** Whether a run is neither waiting nor being processed. */
export const hasEnded = ({ status }: Pick<ImportRun, 'status'>): boolean => !['CREATED', 'RUNNING'].includes(status);

/**
 * Records a run whose file was received under `guid`, to be processed later. Without the part `commit`, the run is
 * committed (wire-facts 4, "as query": commit defaults to true).
 */
export function startRun(
  workspace: Workspace,
  caller: Caller,
  { guid, definition }: Pick<ImportRun, 'guid' | 'definition'>,
  form: RunForm,
  changeOf: FindChange,
): void {
  const { commit: given = 'true', submitFileType, submitWorksheetName = null } = form;
  if (given !== 'true' && given !== 'false') throw refuse.invalid('commit', `"${given}" is neither true nor false.`);
  const commit = given === 'true';
  insertRecord(workspace.settings, importRuns, {
    ...{ guid, definition, status: 'CREATED', commit, ...NO_ROWS, warnings: [] },
    submitFileType: submitFileType === undefined ? null : choose(submitFileType, FILE_TYPES, 'submitFileType'),
    submitWorksheetName,
    change: changeOf(commit),
    ...{ creationDateTime: zulu(workspace.clock()), completionDateTime: null, creator: caller.guid },
  });
}

/**
 * Commits a validated run: its rows are validated again and the valid ones applied (wire-facts 0). Refuses with 3519
 * unless `commit` is true, with 3518 before the run is COMPLETE; a committed run stays as it is.
 */
export function commitRun({ settings }: Workspace, run: ImportRun, commit: boolean, changeOf: FindChange): void {
  if (!commit) throw refusal(3519, 'Only "commit": true can be set.');
  if (run.commit) return;
  if (run.status !== 'COMPLETE') {
    throw refusal(3518, `A run that is ${run.status} cannot be committed, only a COMPLETE one.`);
  }
  const begun = { commit, status: 'RUNNING', ...NO_ROWS, completionDateTime: null } as const;
  setFields(settings, importRuns, run.guid, { ...begun, change: changeOf(true) });
}

/** Refuses with 3520 a run whose report does not exist. */
export function refuseUnlessComplete({ status }: ImportRun): void {
  if (status !== 'COMPLETE') throw refusal(3520, `A run that is ${status} has no result, only a COMPLETE one.`);
}
