import type { Ended } from '../harness/program.js';
import type { World } from '../harness/world.js';
import type { DoneStep } from '../model/effects.js';
import type { ExpectedStep } from '../model/plan.js';
import type { SentImports } from '../model/rows.js';
import { Violation } from '../violation.js';

/** A step as plans show it. */
export interface PlannedStep {
  readonly address: string;
  readonly action: string;
  readonly message: string;
  readonly fields: readonly { readonly path: string }[];
  readonly writes: readonly { readonly verb: string; readonly to?: string }[];
  readonly consent?: 'given' | 'asked';
}

export interface PlanSeen {
  readonly steps: readonly PlannedStep[];
  readonly requests: { readonly used: number; readonly apply: { readonly min: number; readonly max: number } };
}

export const isLeft = ({ action }: { readonly action: string }): boolean => action === 'blocked' || action === 'manual';

/** The field of the spec that a path leads into, or the path itself within the metadata. */
export const topOf = (path: string): string => (path.startsWith('metadata.') ? path : (path.split(/[.[]/)[0] ?? ''));

export const topsOf = (fields: readonly { readonly path: string }[]): string =>
  [...new Set(fields.map(({ path }) => topOf(path)))].sort().join();

export function judgeRefusal({ code, out, err }: Ended, error: string): undefined {
  if (code !== 3) throw new Violation(6, `It ended with ${code}, though ${error}: ${out}${err}`);
  return undefined;
}

/** Exit codes of commands that did their work: all is well, a difference was found, something is left to people. */
const DONE: readonly unknown[] = [0, 2, 4];

/** What a command that did its work says as JSON. */
export function answerOf({ code, out, err }: Ended): unknown {
  if (!DONE.includes(code)) throw new Violation(6, `It ended with ${code}: ${err}${out.slice(-600)}`);
  return parse(out);
}

export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(6, `This is no JSON: ${text.slice(0, 500)}`);
  }
};

export function judgeSteps({ steps }: PlanSeen, expected: ReadonlyMap<string, ExpectedStep>): void {
  for (const { address, action, fields, message } of steps) {
    const step = expected.get(address);
    if (step === undefined) throw new Violation(2, `The plan has a step too many: ${action} ${address} (${message})`);
    if (!step.actions.includes(action))
      throw new Violation(
        2,
        `The plan has ${action} ${address} (${message}), where ${step.actions.join(' or ')} is right.`,
      );
    if (step.fields === undefined || action === 'blocked') continue;
    const tops = topsOf(fields);
    if (tops !== [...step.fields].sort().join())
      throw new Violation(5, `${action} ${address} changes ${tops}, where ${step.fields.join()} is right.`);
  }
  const said = new Set(steps.map(({ address }) => address));
  for (const [address, { actions, isPossible }] of expected)
    if (!said.has(address) && isPossible !== true)
      throw new Violation(2, `The plan has no step for ${address}, where ${actions.join(' or ')} is right.`);
}

export function judgeCounts({ steps }: PlanSeen, done: readonly DoneStep[]): void {
  const meant = steps.filter(({ writes }) => writes.length > 0).map(({ address }) => address);
  const missing = meant.filter((address) => !done.some((one) => one.address === address));
  if (missing.length > 0) throw new Violation(6, `Not done, without a fault: ${missing.join(', ')}`);
}

export type Requests = Awaited<ReturnType<World['service']['newRequests']>>;

export const isWrite = ({ method, path }: Requests[number]): boolean =>
  method !== 'GET' && !/\/log(in|out)$/.test(path);

export function judgeWrites(requests: Requests, count: number, what: string): void {
  const writes = requests.filter(isWrite);
  if (writes.length === count) return;
  const list = writes.map(({ method, path, status }) => `${method} ${path} ${status}`).join('\n');
  throw new Violation(5, `${what} sends ${writes.length} writes, where its plan says ${count}:\n${list}`);
}

/** Law 1: a list that only exchanges entries is never empty in between, since nobody agreed to that. */
export function judgeOrder(requests: Requests): void {
  const removed = new Set<string>();
  for (const { method, path } of requests) {
    const [, list, entry] = /^(\/.+\/[A-Z0-9]{20}\/[a-z]+)(\/[A-Z0-9]{20})?$/.exec(path) ?? [];
    if (list === undefined) continue;
    if (method === 'DELETE' && entry !== undefined) removed.add(list);
    if (method === 'POST' && removed.has(list))
      throw new Violation(1, `Entries of ${list} are removed before others are added.`);
  }
}

/**
 * What an apply takes beside its plan is within what the plan says. Rows that are rejected are not committed, and cost less; polls
 * of a run count once, since pauses are shorter here than in life.
 */
export function judgePrice(
  requests: Requests,
  { requests: { used, apply } }: PlanSeen,
  { notDone }: SentImports,
): void {
  const taken = requests.length - used;
  const polls = requests.filter(({ method, path }) => method === 'GET' && /^\/imports\/\w+\/runs\/\w+$/.test(path));
  const repeated = polls.length - new Set(polls.map(({ path }) => path)).size;
  if ((taken < apply.min && notDone.length === 0) || taken - repeated > apply.max)
    throw new Violation(5, `apply took ${taken} requests, where its plan says ${apply.min} to ${apply.max}.`);
}

export function judgeCode(
  { code, out, err }: Ended,
  expected: number,
  what: string,
  others: readonly number[] = [],
): void {
  if (code !== expected && !others.includes(Number(code)))
    throw new Violation(6, `${what} ended with ${code}, where ${expected} is right: ${err}${out.slice(-600)}`);
}
