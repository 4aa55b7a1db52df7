import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import type { Plan, Step } from '#core/model/plan.js';
import type { Action } from '#core/model/step-schema.js';
import { plannedOutcome, type StepOutcome } from './counts.js';
import type { WriteRecord } from './journal-record.js';
import type { ParsedJournal } from './parse-journal.js';

/** The result of one step, according to its journal. */
export interface StepResult {
  readonly address: Address;
  readonly action: Action;
  readonly outcome: StepOutcome;
  /** Why it failed. */
  readonly message?: string;
  /** How many writes it has, and how many of them are known to be done. */
  readonly writes: { readonly planned: number; readonly done: number };
  /** When the last of its writes was begun or answered. */
  readonly at?: string;
}

/** Derives the result of each step of a plan from the records of its journal, which may be incomplete. */
export function stepResults(
  { steps }: Plan,
  { records, lacks }: Pick<ParsedJournal, 'records' | 'lacks'>,
): StepResult[] {
  const byAddress = new Map<Address, WriteRecord[]>();
  for (const record of records) {
    if (record.type !== 'intent' && record.type !== 'outcome') continue;
    const known = byAddress.get(record.address);
    if (known === undefined) byAddress.set(record.address, [record]);
    else known.push(record);
  }
  return steps.map((step) => resultOf(step, byAddress.get(step.address) ?? [], lacks));
}

function resultOf(step: Step, records: readonly WriteRecord[], lacks: ParsedJournal['lacks']): StepResult {
  const { address, action, writes } = step;
  const answered = records.filter((record) => record.type === 'outcome');
  const done = answered.filter(({ failed }) => failed === undefined).length;
  const failed = answered.find((record) => record.failed !== undefined);
  const last = records.at(-1);
  const known = failed === undefined ? outcomeOf(step, records, done) : (failed.is ?? 'failed');
  const isLacking = lacks === 'some' && (known === 'skipped' || known === 'partly');
  const message = isLacking ? 'its last records were not saved' : failed?.failed;
  return {
    address,
    action,
    outcome: isLacking ? 'unknown' : known,
    ...omitUndefined({ message }),
    writes: { planned: writes.length, done },
    ...(last === undefined ? {} : { at: last.at }),
  };
}

/** The outcome of a step of which no write failed. */
function outcomeOf(step: Step, records: readonly WriteRecord[], done: number): StepOutcome {
  if (step.writes.length === 0) return plannedOutcome(step);
  if (done === step.writes.length) return 'done';
  if (records.filter(({ type }) => type === 'intent').length > done) return 'unknown';
  return done === 0 ? 'skipped' : 'partly';
}
