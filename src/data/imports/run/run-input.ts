import { omitUndefined } from '#base/omit-undefined.js';
import type { CommitRule } from '#core/jobs/import.js';
import type { JobRun, ValidationCounts } from '#core/model/job-state.js';
import type { Guid } from '#core/model/kind.js';
import type { ImportOutcome } from '#core/stream/import-outcome.js';
import type { ImportRun, ImportRuns } from '#service/import-runs.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import type { SpoolPart } from '../../bulk/rows/spool.js';
import type { PollContext } from './await-run.js';

/** Records the progress of an import. Each call is awaited: before a commit is sent, and after every answer. */
export interface Recorder {
  /** The runs as they are now; `validated` once the service has processed all rows. */
  open(runs: readonly JobRun[], validated?: ValidationCounts): Promise<void>;
  settled(outcome: ImportOutcome): Promise<void>;
}

/** What sending, validating and committing the runs of one import needs. */
export interface RunInput extends Pick<PollContext, 'sleep' | 'emit' | 'signal' | 'remaining'> {
  readonly prepared: PreparedImport;
  readonly rule: CommitRule;
  readonly recorder: Recorder;
  /** The definition that runs are posted to. */
  readonly definition: Guid;
  readonly runsOf: (definition: Guid) => ImportRuns;
  /** Known runs in the order of their rows: they are resumed, and only the missing ones are posted. */
  readonly resume?: readonly JobRun[];
}

/** A run in the service, and the rows that it holds. */
export interface SentRun {
  readonly job: JobRun;
  readonly part: SpoolPart;
  readonly run: ImportRun;
}

/** The run endpoints of the definition that a run belongs to, which another of the same name may have replaced. */
export const runsOfJob = (job: JobRun, { runsOf, definition }: RunInput): ImportRuns =>
  runsOf(job.definition ?? definition);

/** What waiting for one of several runs needs to know about the others. */
export function waitingFor({ job, part }: SentRun, input: RunInput): PollContext {
  const { prepared, sleep, emit, signal, remaining } = input;
  const { file, rows: total } = prepared;
  const rows = part.last - part.first + 1;
  const place = { file, rows, before: part.first - 1, total };
  const runs = runsOfJob(job, input);
  return { runs, sleep, emit, signal, ...place, ...omitUndefined({ remaining }) };
}
