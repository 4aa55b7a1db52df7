import { omitUndefined } from '#base/omit-undefined.js';
import type { Json } from './json.js';
import { countSchema, type Shape, Type } from './schema.js';

/** The schema of `JobRun`. */
export const jobRunSchema = Type.Object(
  {
    run: Type.String({ description: 'GUID of the run.' }),
    number: Type.Optional(Type.Integer({ description: "The service's number of the run." })),
    definition: Type.Optional(
      Type.String({
        description: "GUID of the run's definition: another definition may have its name now.",
      }),
    ),
    first: Type.Integer({ description: 'First data row, counted from 1.' }),
    last: Type.Integer({ description: 'Last data row.' }),
    commit: Type.Union([Type.Literal('no'), Type.Literal('begun'), Type.Literal('done')], {
      description: 'begun: the commit was requested, and rows may have been applied.',
    }),
  },
  { description: 'One run of an import. Recorded in the ledger only.' },
);

/** The schema of the counts of a complete validation. */
export const validationCountsSchema = Type.Object(
  { rows: countSchema(), failed: countSchema() },
  { description: 'The result of a complete validation.' },
);

const onlySchema = Type.Optional(
  Type.String({ description: 'The data rows of the file that are sent, such as 2,5-9; all by default.' }),
);

const runsSchema = Type.Array(jobRunSchema, { minItems: 1 });
const atSchema = Type.String({ description: 'ISO 8601 in UTC.' });

const openRunsSchema = <const S extends 'posted' | 'committing'>(state: S, description: string) =>
  Type.Object(
    {
      state: Type.Literal(state),
      runs: runsSchema,
      only: onlySchema,
      validated: Type.Optional(validationCountsSchema),
    },
    { description },
  );

const endedSchema = <const S extends 'failed' | 'lost'>(state: S, description: string) =>
  Type.Object({ state: Type.Literal(state), runs: runsSchema, at: Type.Optional(atSchema) }, { description });

const settledSchema = <const S extends 'committed' | 'rejected' | 'validated'>(state: S, description: string) =>
  Type.Object(
    {
      state: Type.Literal(state),
      runs: runsSchema,
      at: atSchema,
      rows: countSchema('Rows that were sent.'),
      only: onlySchema,
      of: Type.Optional(countSchema('Rows of the file, if only some were sent.')),
      failed: countSchema(),
      committed: Type.Optional(countSchema('Rows that took effect; the service may silently skip some of the others.')),
      rule: Type.Optional(Type.Unsafe<Json>({}, { description: 'The commit rule in effect.' })),
    },
    { description },
  );

/** The states of an import, by its key. The functions below define their order. */
export const jobStateSchema = Type.Tagged('state', [
  openRunsSchema('posted', 'Runs that are not settled yet, in row order; rows after the last run were not sent.'),
  openRunsSchema('committing', 'The same, with a run whose commit was requested.'),
  endedSchema('failed', 'The runs ended before anything was committed; the content may be sent again.'),
  endedSchema(
    'lost',
    'A run was being committed when last seen, and can no longer be read: its result must be checked manually.',
  ),
  settledSchema('committed', 'Its rows are in the workspace.'),
  settledSchema('rejected', 'The commit rule refused it: settled under that rule.'),
  settledSchema('validated', 'The commit rule commits nothing automatically.'),
]);

/** The state of an import, by its key. Recorded in the ledger; `committed` and `lost` settle it, `rejected` by rule. */
export type JobState = Shape<typeof jobStateSchema>;

/** One run of an import, over its data rows `first` to `last`, counted from 1. */
export type JobRun = Shape<typeof jobRunSchema>;

/** Unsettled runs in the order of their rows. The rows after the last run were not sent. */
export type OpenRuns = Extract<JobState, { readonly state: 'posted' | 'committing' }>;

/** The result of a complete validation. */
export type ValidationCounts = Shape<typeof validationCountsSchema>;

/** The state of complete runs after the decision of their commit rule. */
export type SettledState = Extract<JobState, { readonly rows: number }>;

/** Whether there are unsettled runs. */
export const isOpen = (state: JobState | undefined): state is OpenRuns =>
  state?.state === 'posted' || state?.state === 'committing';

/** The data rows of the file that were sent, such as 2,5-9; undefined if all were. */
export const sentRowsOnly = (state: JobState): string | undefined => ('only' in state ? state.only : undefined);

/** The state after runs were posted, or after the commit of one was begun. */
export const openState = (runs: readonly JobRun[], validated?: ValidationCounts, only?: string): OpenRuns => ({
  state: runs.some(({ commit }) => commit !== 'no') ? 'committing' : 'posted',
  runs,
  ...omitUndefined({ only, validated }),
});

/** The certain result of a failure of open runs: not committed, or impossible to find out; undefined if uncertain. */
export function failedState(code: string | undefined, runs: readonly JobRun[], at: string): JobState | undefined {
  if (runs.length === 0 || (code !== 'RUN_FAILED' && code !== 'RUN_GONE')) return undefined;
  if (runs.every(({ commit }) => commit === 'no')) return { state: 'failed', runs, at };
  return code === 'RUN_GONE' ? { state: 'lost', runs, at } : undefined;
}

/** The outcome of complete runs under their commit rule; the rows that succeeded may not be committed. */
interface RunsOutcome extends Pick<SettledState, 'runs' | 'rows' | 'only' | 'of' | 'failed'> {
  readonly outcome: SettledState['state'];
  readonly succeeded: number;
}

/** The state to record after the commit rule has decided. `at`: ISO 8601 in UTC. */
export function settledState(
  { outcome, runs, rows, only, of, failed, succeeded }: RunsOutcome,
  rule: Json,
  at: string,
): JobState {
  const committed = outcome === 'committed' ? { committed: succeeded } : {};
  const some = omitUndefined({ only, of });
  return { state: outcome, runs, at, rows, ...some, failed, ...committed, rule };
}

/** Reopens runs that a rule left or refused, for a commit by name; undefined if they cannot be reopened. */
export function reopenedState(state: JobState): OpenRuns | undefined {
  if (isOpen(state)) return state;
  if (state.state !== 'validated' && state.state !== 'rejected') return undefined;
  return openState(state.runs, { rows: state.rows, failed: state.failed }, state.only);
}

/** Rows of a commit that took effect; journals of earlier versions count failed ones only. */
export const rowsInEffect = ({ rows, failed, committed }: SettledState): number => committed ?? rows - failed;

/** The service's numbers of runs, without runs that have none. */
export const runNumbers = (runs: readonly Pick<JobRun, 'number'>[]): number[] =>
  runs.flatMap(({ number }) => (number === undefined ? [] : [number]));

/** `run #12`, `runs #12 to #14`; undefined if the service gave them no numbers. */
export function nameOfRuns(named: readonly Pick<JobRun, 'number'>[]): string | undefined {
  const numbers = runNumbers(named);
  const [first, last] = [numbers.at(0), numbers.at(-1)];
  if (first === undefined) return undefined;
  return first === last ? `run #${first}` : `runs #${first} to #${last}`;
}
