import { type ApplyFacts, applyFactsSchema } from '#core/model/apply-facts.js';
import { isObject, type JsonObject, jsonIn } from '#core/model/json.js';
import { type Plan, planSchema } from '#core/model/plan.js';
import { hasShape } from '#core/shape.js';
import { followChain, wholeLines } from './chain.js';
import { type JournalRecord, recordIn } from './journal-record.js';

/** A journal as far as it can be read: one damaged line does not affect the others. */
export interface ParsedJournal {
  /** When it was begun, ISO 8601 in UTC. */
  readonly at?: string;
  readonly apply?: ApplyFacts;
  /** Parsed on demand, since it may be large. Undefined if it is damaged. */
  readonly plan: () => Plan | undefined;
  /** All but the plan. */
  readonly records: readonly JournalRecord[];
  /** Whether it may lack records: it has no end, and its backend may write records late. */
  readonly lacks: 'some' | 'none';
  /** The number of the first damaged line. */
  readonly damaged?: number;
}

/**
 * Reads a journal for display. Damage is reported by line and never thrown; for the records that the next apply relies
 * on, see readJournalState.
 */
export function parseJournal(text: string): ParsedJournal {
  const all = wholeLines(text);
  const [first = '', ...rest] = all;
  const head = headOf(first);
  const lines = rest.map((line) => recordIn(parseLine(line)));
  const { broken = -1 } = followChain(all);
  const unreadable = [head, ...lines].indexOf(undefined);
  const bad = [unreadable, broken].filter((index) => index >= 0).sort((a, b) => a - b)[0] ?? -1;
  const records = lines.filter((one) => one !== undefined && one !== 'unknown');
  const { delay, ...facts } = head ?? {};
  return {
    ...facts,
    plan: () => planIn(first),
    records,
    lacks: delay === undefined || records.some(({ type }) => type === 'end') ? 'none' : 'some',
    ...(bad < 0 ? {} : { damaged: bad + 1 }),
  };
}

/** How a plan begins in its record; a string cannot contain it, since quotes are escaped there. */
const PLAN = ',"plan":{';

/** How the record ends after the plan; older versions wrote no hash there. */
const PLAN_END = /\}(,"chain":"\w+")?\}$/;

/** The facts before the plan. */
function headOf(line: string): (Pick<ParsedJournal, 'at' | 'apply'> & { readonly delay?: number }) | undefined {
  const end = line.indexOf(PLAN);
  const head = end < 0 || !PLAN_END.test(line) ? undefined : parseLine(`${line.slice(0, end)}}`);
  if (head?.type !== 'plan' || typeof head.at !== 'string') return undefined;
  const { at, apply } = head;
  const known = { at, ...(typeof head.delay === 'number' ? { delay: head.delay } : {}) };
  if (apply === undefined) return known;
  return hasShape(applyFactsSchema, apply) ? { ...known, apply: apply as unknown as ApplyFacts } : undefined;
}

function planIn(line: string): Plan | undefined {
  const plan: unknown = parseLine(line)?.plan;
  return hasShape(planSchema, plan) ? (plan as Plan) : undefined;
}

function parseLine(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}
