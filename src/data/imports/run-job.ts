import { setTimeout as wait } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import { splitAddress } from '#core/model/address.js';
import { failedState, isOpen, type JobState, nameOfRuns, openState, settledState } from '#core/model/job-state.js';
import type { ImportOutcome } from '#core/stream/import-outcome.js';
import type { Journal } from '#ledger/ledger.js';
import type { Host } from '#project/host.js';
import type { Writer } from '#service/client.js';
import type { Identities } from '#service/identities.js';
import { openImportRuns } from '#service/import-runs.js';
import { commitRule, type Job } from './job.js';
import { captureBeforeImage, verifyOutcome } from './read-back.js';
import { keepFile } from './released-file.js';
import { accountFor } from './report-outcome.js';
import { commitImport } from './run/commit-import.js';
import type { Recorder, RunInput, SentRun } from './run/run-input.js';
import { sendRuns } from './run/send-runs.js';
import { type Validation, validateImport } from './run/validate-import.js';

/** What running an import needs. */
export interface RunJobContext {
  readonly writer: Writer;
  readonly identities: Identities;
  readonly journal: Journal;
  readonly host: Host;
  /** Limits the imports that run at once. Those that wait for the others of their wave do not count. */
  readonly limit: LimitFunction;
}

/** A running import; the journal records each of its states. */
export interface JobRunner {
  /** Posts the rows that are not posted yet, without waiting for the service. */
  send(): Promise<readonly SentRun[]>;
  validate(): Promise<Validation>;
  commit(validation: Extract<Validation, { is: 'to-commit' }>): Promise<ImportOutcome>;
  /** The state that was recorded last. */
  state(): JobState | undefined;
}

/** Resumes the runs that the ledger has of the import, and posts the missing ones. */
export function createJobRunner(job: Job, running: Omit<RunJobContext, 'limit'>): JobRunner {
  const states = recordStates(job, running);
  const input = runInput(job, running, states);
  return {
    send: () => states.during(sendRuns(input)),
    validate: () => states.during(validateImport(input)),
    commit: ({ sent }) => states.during(commitImport(sent, input)),
    state: () => states.latest(),
  };
}

/** Records the states of one import in the journal. */
interface RecordedStates extends Recorder {
  /** Also records a failure that certainly ends open runs, and rethrows it. */
  during<T>(work: Promise<T>): Promise<T>;
  latest(): JobState | undefined;
}

function recordStates({ facts, prepared }: Job, { journal, host }: Omit<RunJobContext, 'limit'>): RecordedStates {
  const { address, key, state, sent } = facts;
  const at = (): string => host.clock().toISOString();
  const only = prepared.only === undefined ? undefined : String(prepared.only);
  const some = only === undefined ? {} : { only, of: facts.rows + (facts.unsent ?? 0) };
  let open = isOpen(state) ? state.runs : [];
  let latest = state;
  const record = async (job: JobState): Promise<void> => {
    await journal.append({ type: 'job', at: at(), address, key, job, facts: sent });
    latest = job;
  };
  return {
    open: (runs, validated) => {
      open = runs;
      return record(openState(runs, validated, only));
    },
    settled: (outcome) => record(settledState({ ...outcome, ...some }, facts.rule, at())),
    async during(work) {
      try {
        return await work;
      } catch (error) {
        const ended = failedState(error instanceof DexsyncError ? error.code : undefined, open, at());
        if (ended !== undefined) await record(ended);
        throw error;
      }
    },
    latest: () => latest,
  };
}

function runInput(job: Job, running: Omit<RunJobContext, 'limit'>, recorder: Recorder): RunInput {
  const { facts, prepared } = job;
  const { writer, identities, host } = running;
  const { address, state, definition } = facts;
  return {
    ...{ prepared, recorder, rule: commitRule(job) },
    resume: isOpen(state) ? state.runs : [],
    definition: identities.guidOf(importDefinition.name, splitAddress(definition).name),
    runsOf: (guid) => openImportRuns(writer, guid),
    remaining: () => writer.usage.remaining ?? undefined,
    sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => undefined),
    emit: (event) => host.emit({ type: 'import', address, event }),
    signal: host.signal,
  };
}

/** Validates one import, waits for the others of its wave, and commits it if its rule allows. */
export async function runJob(job: Job, running: RunJobContext, together: () => Promise<void>): Promise<ImportOutcome> {
  const runner = createJobRunner(job, running);
  const validation = await running.limit(() => runner.validate());
  await together();
  const outcome =
    validation.is === 'settled'
      ? validation.outcome
      : await running.limit(() => commitJob(validation, job, runner, running));
  await accountFor(job, outcome, running.host);
  return outcome;
}

async function commitJob(
  validation: Extract<Validation, { is: 'to-commit' }>,
  job: Job,
  runner: JobRunner,
  { writer, identities, host }: RunJobContext,
): Promise<ImportOutcome> {
  const runs = validation.sent.map((one) => one.job);
  const reading = { reader: writer, identities, host };
  const before = runs.some(({ commit }) => commit !== 'no') ? {} : await captureBeforeImage(job, runs, reading);
  const committed = await runner.commit(validation);
  const diagnostic = await keepFile(job);
  if (diagnostic !== undefined) host.emit({ type: 'diagnostic', diagnostic });
  return verifyOutcome(job, { ...committed, ...before }, reading);
}

/** Posts the rows of one import and does not wait for the service: `import resume` continues. */
export async function sendJob(job: Job, running: RunJobContext): Promise<void> {
  const sent = await createJobRunner(job, running).send();
  const runs = nameOfRuns(sent.map((one) => one.job));
  running.host.emit({ type: 'sent', address: job.facts.address, ...omitUndefined({ runs }) });
}
