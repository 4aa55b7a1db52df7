import { setTimeout as wait } from 'node:timers/promises';
import type { ImportOutcome, Recorder } from '../bulk/run/import-outcome.js';
import { runImport } from '../bulk/run/run.js';
import { DexsyncError } from '../errors.js';
import { importDefinition } from '../kinds/import-definition.js';
import type { Journal } from '../ledger/ledger.js';
import { splitAddress } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import type { JobState, OpenRun } from '../model/job-state.js';
import type { Guid } from '../model/kind.js';
import type { RunReference, Step, Write } from '../model/plan.js';
import type { Writer } from '../service/client.js';
import type { Identities } from '../service/identities.js';
import type { ImportRun } from '../service/import-runs.js';
import { openRuns } from '../service/open-runs.js';
import type { Host } from './host.js';
import type { Job } from './prepare-jobs.js';

export interface RunningJob {
  readonly writer: Writer;
  readonly identities: Identities;
  readonly journal: Journal;
  readonly host: Host;
}

/** Sends one import and records every state that it comes to. */
export async function runJob(
  step: Step,
  write: Extract<Write, { verb: 'import' }>,
  job: Job,
  running: RunningJob,
): Promise<ImportOutcome> {
  const { facts, prepared } = job;
  const { identities, host } = running;
  const current = (): Guid => identities.guidOf(importDefinition.name, splitAddress(facts.definition).name);
  const { key, resume: seen } = write;
  const open = seen === undefined ? undefined : openRunOf(facts);
  const outcome =
    open === undefined
      ? await sendTo(current(), step, { key }, job, running)
      : await sendTo(definitionOf(facts) ?? current(), step, { key, resume: open }, job, running).catch(
          (error: unknown) => {
            if (open.phase !== 'posted' || !isGone(error)) throw error;
            return sendTo(current(), step, { key }, job, running);
          },
        );
  host.emit({ type: 'rows', address: step.address, file: prepared.file, outcome });
  return outcome;
}

/** The run that the ledger has: the plan says only that there is one. */
function openRunOf({ state }: JobFacts): RunReference | undefined {
  if (state?.state !== 'posted' && state?.state !== 'committing') return undefined;
  const { run, number, state: phase } = state;
  return { ...numbered({ run, number }), phase };
}

/** A run belongs to the definition that it was posted to, also where another one of that name took its place. */
const definitionOf = ({ state }: JobFacts): Guid | undefined =>
  state !== undefined && 'definition' in state ? state.definition : undefined;

const isGone = (error: unknown): boolean => error instanceof DexsyncError && error.code === 'RUN_GONE';

async function sendTo(
  definition: Guid,
  { address }: Step,
  { resume, key }: { readonly key: string; readonly resume?: RunReference },
  { prepared, rule }: Job,
  { writer, journal, host }: RunningJob,
): Promise<ImportOutcome> {
  const at = (): string => host.clock().toISOString();
  const record = (job: JobState): Promise<void> => journal.append({ type: 'job', at: at(), address, key, job });
  let open: OpenRun | undefined = resume === undefined ? undefined : { ...numbered(resume), state: resume.phase };
  const mark = async (state: OpenRun['state'], { guid, number }: ImportRun): Promise<void> => {
    open = { state, ...numbered({ run: guid, number }), definition };
    await record(open);
  };
  const recorder: Recorder = {
    posting: async () => undefined,
    posted: (run) => mark('posted', run),
    committing: (run) => mark('committing', run),
    settled: (outcome) => record({ ...settledState(outcome, at()), rule }),
  };
  try {
    return await runImport({
      prepared,
      rule,
      recorder,
      runs: openRuns(writer, definition),
      sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => undefined),
      emit: (event) => host.emit({ type: 'import', address, event }),
      signal: host.signal,
      ...(resume === undefined ? {} : { resume }),
    });
  } catch (error) {
    const ended = open === undefined ? undefined : endOf(error, open, at());
    if (ended !== undefined) await record(ended);
    throw error;
  }
}

const numbered = ({ run, number }: { run: string; number?: number | undefined }) => ({
  run,
  ...(number === undefined ? {} : { number }),
});

/** What a run has come to by a failure, where that is certain. */
function endOf(error: unknown, open: OpenRun, at: string): JobState | undefined {
  const code = error instanceof DexsyncError ? error.code : undefined;
  if (code !== 'RUN_FAILED' && code !== 'RUN_GONE') return undefined;
  if (open.state === 'posted') return { state: 'failed', run: open.run, at };
  return code === 'RUN_GONE' ? { state: 'lost', ...numbered(open), at } : undefined;
}

function settledState(settled: ImportOutcome, at: string) {
  const { outcome, run, number, rows, failed, succeeded } = settled;
  const committed = outcome === 'committed' ? { committed: succeeded } : {};
  return { state: outcome, ...numbered({ run, number }), at, rows, failed, ...committed };
}
