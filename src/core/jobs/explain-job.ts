import type { Origin } from '#base/diagnostics.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import { isOpen, type JobState, nameOfRuns } from '../model/job-state.js';
import type { Json } from '../model/json.js';
import type { Step } from '../model/plan.js';

/** The facts that decided about an import, and the position of its manifest. */
export interface JobExplanation {
  readonly address: Address;
  readonly action: Step['action'] | 'unchanged';
  readonly reason: string;
  readonly origin: Origin;
  /** Relative to the project. */
  readonly file: string;
  readonly rows: number;
  /** Digest of normalised rows, definition content and run options: content committed under it is not sent again. */
  readonly key: string;
  readonly definition: Address;
  /** Absent if the definition has none. */
  readonly mode?: string;
  readonly commit: Json;
  readonly when: JobFacts['when'];
  /** Imports that are committed first. */
  readonly needs: readonly Address[];
  /** Findings about the rows, without using the service. */
  readonly findings: JobFacts['findings'];
  /** Earlier runs under this key; null if none are known. */
  readonly recorded: RecordedRuns | null;
}

/** The state of earlier runs under one key, from the ledger or, if that has none, from the workspace. */
export interface RecordedRuns {
  readonly state: JobState['state'];
  readonly from: 'ledger' | 'workspace';
  /** `run #12`; null if the service gave no number. */
  readonly runs: string | null;
  readonly at?: string;
  readonly rows?: number;
  readonly failed?: number;
  readonly committed?: number;
}

/** Explains the decision about an import; decides nothing itself. `step` is absent if nothing happens to it. */
export const explainJob = (facts: JobFacts, step: Step | undefined): JobExplanation => ({
  address: facts.address,
  action: step?.action ?? 'unchanged',
  reason: step?.message ?? settledText(facts),
  origin: facts.origin,
  file: facts.request.path,
  rows: facts.rows,
  key: facts.key,
  definition: facts.definition,
  ...omitUndefined({ mode: facts.mode }),
  commit: facts.rule,
  when: facts.when,
  needs: facts.needs,
  findings: facts.findings,
  recorded: facts.state === undefined ? null : recordedRuns(facts.state, facts.found),
});

/** Only rows that were committed, or validated under `commit: never`, have no step. */
const settledText = ({ state }: JobFacts): string =>
  state?.state === 'validated'
    ? 'These rows were validated before, and the commit rule is "never".'
    : 'These rows were committed before under this key.';

function recordedRuns(state: JobState, found: JobFacts['found']): RecordedRuns {
  const common = {
    state: state.state,
    from: found === undefined ? 'ledger' : 'workspace',
    runs: nameOfRuns(state.runs) ?? null,
  } as const;
  if (isOpen(state)) return { ...common, ...state.validated };
  const { at } = state;
  const when = at === undefined ? {} : { at };
  if (!('rows' in state)) return { ...common, ...when };
  const { rows, failed, committed } = state;
  return { ...common, ...when, rows, failed, ...omitUndefined({ committed }) };
}
