import type { ImportOutcome } from '#core/stream/import-outcome.js';
import { awaitRun } from './await-run.js';
import { type Decision, decide } from './decide-commit.js';
import { readErrors } from './run-errors.js';
import { type RunInput, runsOfJob, type SentRun, waitingFor } from './run-input.js';
import { sendRuns } from './send-runs.js';
import { sumRuns } from './sum-runs.js';

/** The result of a validation: `settled` if nothing is to be committed. */
export type Validation =
  | { readonly is: 'settled'; readonly outcome: ImportOutcome }
  | { readonly is: 'to-commit'; readonly sent: readonly SentRun[] };

/**
 * Validates the prepared rows, in one run for each part, and decides by the rule on all of them together (interface,
 * section 1). If the commit of one was begun, that was decided before. Throws INTERRUPTED, RUN_FAILED and RUN_GONE,
 * which name the run, and the errors of the service port.
 */
export async function validateImport(input: RunInput): Promise<Validation> {
  const { prepared, rule, emit, recorder } = input;
  const sent = await sendRuns(input);
  if (sent.some(({ job }) => job.commit !== 'no')) return { is: 'to-commit', sent };
  const complete: SentRun[] = [];
  for (const one of sent) {
    complete.push({ ...one, run: await awaitRun(one.run, 'validating', waitingFor(one, input)) });
  }
  const errors = await readErrors(complete, 'validating', { ...input, readsOf: (job) => runsOfJob(job, input) });
  const decision = decide(rule, errors.count, prepared.rows);
  emit({ type: 'decided', decision: decision.decision, errors: errors.count, rows: prepared.rows });
  if (decision.decision === 'commit') {
    await recorder.open(
      complete.map(({ job }) => job),
      { rows: prepared.rows, failed: errors.count },
    );
    return { is: 'to-commit', sent: complete };
  }
  const outcome: ImportOutcome = { ...sumRuns(complete, errors, prepared), ...outcomeWithoutCommit(decision) };
  await recorder.settled(outcome);
  emit({ type: 'done', outcome: outcome.outcome });
  return { is: 'settled', outcome };
}

function outcomeWithoutCommit(decision: Exclude<Decision, { decision: 'commit' }>) {
  if (decision.decision === 'leave') return { outcome: 'validated' } as const;
  return { outcome: 'rejected', limit: decision.limit, reason: decision.reason } as const;
}
