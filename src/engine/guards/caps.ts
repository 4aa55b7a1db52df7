import { splitAddress } from '../../model/address.js';
import type { Cap, GuardFinding } from '../../model/guards.js';
import type { Action, Step } from '../../model/plan.js';
import { addressesOf, type Guard, type GuardInput, isDelete, isReplacement, overridable } from './guard.js';

/** At most so many objects of one kind are deleted in one plan, or renamed away where the service deletes none. */
export const deletes: Guard = (steps, input) => exceeding('deletes', steps.filter(isDelete), input);

/** The same for replacements: the old object stays under another name, and everything that refers to it has to follow. */
export const replacements: Guard = (steps, input) => exceeding('replacements', steps.filter(isReplacement), input);

const DONE: Partial<Record<Action, string>> = { delete: 'deleted', retire: 'retired', replace: 'replaced' };

/** All of a kind or none: which of them were meant cannot be known. */
function exceeding(guard: 'deletes' | 'replacements', steps: readonly Step[], input: GuardInput): GuardFinding[] {
  return [...byKind(steps)].flatMap(([kind, concerned]) => {
    const { length: count } = concerned;
    const all = Math.max(input.existing.get(kind) ?? 0, count);
    const limit = exceeded(input.settings[guard], count, all);
    if (limit === undefined) return [];
    const done = [...new Set(concerned.map(({ action }) => DONE[action]))].join(' or ');
    const fact = `${count} of ${all} ${kind} objects would be ${done} (${limit})`;
    return [overridable(guard, input, fact, addressesOf(concerned))];
  });
}

function byKind(steps: readonly Step[]): Map<string, Step[]> {
  const kinds = new Map<string, Step[]>();
  for (const step of steps) {
    const { kind } = splitAddress(step.address);
    const concerned = kinds.get(kind) ?? [];
    concerned.push(step);
    kinds.set(kind, concerned);
  }
  return kinds;
}

/** How far a limit is exceeded; undefined where none is. */
function exceeded({ count: most, percent, from }: Cap, count: number, all: number): string | undefined {
  if (most !== undefined && count > most) return `the limit is ${most}`;
  const share = (100 * count) / all;
  return all >= from && share > percent ? `${shown(share, percent)} %, the limit is ${percent} %` : undefined;
}

/** Rounded, but never down to the limit that it is over. */
function shown(share: number, limit: number): number {
  const rounded = Math.round(share);
  return rounded > limit ? rounded : Math.ceil(share * 10) / 10;
}
