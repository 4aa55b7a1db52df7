import { setTimeout as wait } from 'node:timers/promises';
import type { ImportOutcome, Recorder } from '../bulk/import-outcome.js';
import { runImport } from '../bulk/run.js';
import { DexsyncError } from '../errors.js';
import { importDefinition } from '../kinds/import-definition.js';
import type { Journal } from '../ledger/ledger.js';
import { splitAddress } from '../model/address.js';
import type { JobState } from '../model/job-state.js';
import type { Step, Write } from '../model/plan.js';
import type { Writer } from '../service/client.js';
import type { Identities } from '../service/identities.js';
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
  { address }: Step,
  { resume, key }: Extract<Write, { verb: 'import' }>,
  { facts, prepared, rule }: Job,
  { writer, identities, journal, host }: RunningJob,
): Promise<ImportOutcome> {
  const at = (): string => host.clock().toISOString();
  const record = (job: JobState): Promise<void> => journal.append({ type: 'job', at: at(), address, key, job });
  let open: JobState | undefined = resume === undefined ? undefined : { state: resume.phase, run: resume.run };
  const mark = async (state: 'posted' | 'committing', run: { guid: string; number?: number }): Promise<void> => {
    open = { state, run: run.guid, ...(run.number === undefined ? {} : { number: run.number }) };
    await record(open);
  };
  const recorder: Recorder = {
    posting: async () => undefined,
    posted: (run) => mark('posted', run),
    committing: (run) => mark('committing', run),
    settled: (outcome) => record(settledState(outcome, at())),
  };
  try {
    const outcome = await runImport({
      prepared,
      rule,
      recorder,
      runs: openRuns(writer, identities.guidOf(importDefinition.name, splitAddress(facts.definition).name)),
      sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => undefined),
      emit: (event) => host.emit({ type: 'import', address, event }),
      signal: host.signal,
      ...(resume === undefined ? {} : { resume }),
    });
    host.emit({ type: 'rows', address, file: prepared.file, outcome });
    return outcome;
  } catch (error) {
    const lost = error instanceof DexsyncError && error.code === 'RUN_FAILED' && open?.state === 'posted';
    if (lost) await record({ state: 'failed', run: open?.run ?? '', at: at() });
    throw error;
  }
}

function settledState({ outcome, run, number, rows, failed }: ImportOutcome, at: string): JobState {
  return { state: outcome, run, ...(number === undefined ? {} : { number }), at, rows, failed };
}
