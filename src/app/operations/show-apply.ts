import { hostname } from 'node:os';
import { DexsyncError } from '#base/errors.js';
import { isRunning } from '#base/files/process-facts.js';
import { digestOfPlan } from '#core/engine/normal-form.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { Plan } from '#core/model/plan.js';
import type { JudgedVerdict } from '#core/reviews/judge-reviews.js';
import { recordedVerdicts } from '#core/reviews/recorded-verdicts.js';
import { type HistoryEntry, readEntry } from '#ledger/history/history-entry.js';
import type { JobResult } from '#ledger/history/job-results.js';
import type { NumberedJournal } from '#ledger/ledger.js';
import { type StepResult, stepResults } from '#ledger/step-results.js';
import { withJournals } from '#project/connection/environment-journals.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** The apply to show. */
export interface ShowApplyOptions extends ProjectOptions {
  /** Its number in the history. */
  readonly number: number;
}

/** Everything that is recorded about one apply. */
export interface AppliedRecord extends HistoryEntry {
  readonly environment: string;
  /** Of an unfinished apply: whether its process still runs on this machine; `elsewhere`: it ran on another. */
  readonly process?: 'running' | 'gone' | 'elsewhere';
  /** The plan as it was confirmed; null if that line is damaged. */
  readonly plan: Plan | null;
  /** Whether the plan still has its recorded digest; `unknown` if none was recorded or the plan is damaged. */
  readonly digest: 'matches' | 'differs' | 'unknown';
  /** The signed verdicts on it, verified again; empty where none were needed. */
  readonly verdicts: readonly JudgedVerdict[];
  /** The outcome of each step, in the order of the plan. */
  readonly steps: readonly StepResult[];
  /** The outcome of each import. */
  readonly jobs: readonly JobResult[];
}

/** Shows everything about one apply, from its journal alone. */
export async function showApply({ number, ...project }: ShowApplyOptions, host: Host): Promise<AppliedRecord> {
  const config = await openConfig(project, host);
  return withJournals(config, project.environment, host, async ({ environment, journals }) => {
    const journal = journals[number - 1];
    const read = journal === undefined ? undefined : await readEntry(journal);
    if (read === undefined) throw notRecorded(number, environment, journals);
    const { entry, parsed, jobs } = read;
    const plan = parsed.plan() ?? null;
    return {
      environment,
      ...entry,
      ...(plan === null && entry.damage === undefined ? { state: 'damaged', damage: 'line 1 is not a record' } : {}),
      ...(entry.state === 'unfinished' && entry.apply !== null ? { process: processOf(entry.apply) } : {}),
      plan,
      digest: digestCheck(plan, entry.apply),
      verdicts: entry.apply?.reviewed === undefined ? [] : recordedVerdicts(entry.apply.reviewed),
      steps: plan === null ? [] : stepResults(plan, parsed),
      jobs,
    };
  });
}

const notRecorded = (number: number, environment: string, { length }: readonly NumberedJournal[]): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `Environment "${environment}" has no apply ${number}.`, {
    hint:
      length === 0
        ? 'No applies are recorded.'
        : `Applies are numbered from 1 to ${length}; \`dexsync history\` lists them.`,
  });

function digestCheck(plan: Plan | null, apply: ApplyFacts | null): AppliedRecord['digest'] {
  if (plan === null || apply === null) return 'unknown';
  return digestOfPlan(plan) === apply.digest ? 'matches' : 'differs';
}

/** Checks the process by its number, which is used again: a running one may be another program. */
function processOf({ host, pid }: ApplyFacts): NonNullable<AppliedRecord['process']> {
  if (host !== hostname()) return 'elsewhere';
  return isRunning(pid) ? 'running' : 'gone';
}
