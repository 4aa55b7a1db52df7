import { splitAddress } from '../../model/address.js';
import type { Cap, GuardFinding } from '../../model/guards.js';
import type { Action, Step } from '../../model/plan.js';
import type { Bound } from '../bind.js';
import type { Facts } from '../find-live.js';
import { priceOf } from '../price.js';
import { destructiveImports } from './destructive-imports.js';
import { addressesOf, type Guard, type GuardInput, isDelete, isReplacement, overridableFinding } from './guard.js';

/** At most so many objects of one kind are deleted in one plan, or renamed away where the service deletes none. */
export const deletes: Guard = (steps, input) => capFindings('deletes', steps.filter(isDelete), input);

/** The same for replacements: the old object stays under another name, and everything that refers to it has to follow. */
export const replacements: Guard = (steps, input) => capFindings('replacements', steps.filter(isReplacement), input);

const DONE: Partial<Record<Action, string>> = { delete: 'deleted', retire: 'retired', replace: 'replaced' };

/** All of a kind or none: which of them were meant cannot be known. */
function capFindings(guard: 'deletes' | 'replacements', steps: readonly Step[], input: GuardInput): GuardFinding[] {
  return [...byKind(steps)].flatMap(([kind, concerned]) => {
    const { length: count } = concerned;
    const all = Math.max(input.existing.get(kind) ?? 0, count);
    const limit = excessOf(input.settings[guard], count, all);
    if (limit === undefined) return [];
    const done = [...new Set(concerned.map(({ action }) => DONE[action]))].join(' or ');
    const fact = `${count} of ${all} ${kind} objects would be ${done} (${limit})`;
    return [overridableFinding(guard, input, fact, addressesOf(concerned))];
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
function excessOf({ count: most, percent, from }: Cap, count: number, all: number): string | undefined {
  if (most !== undefined && count > most) return `the limit is ${most}`;
  const share = (100 * count) / all;
  return all >= from && share > percent ? `${roundAbove(share, percent)}%, the limit is ${percent}%` : undefined;
}

/** Rounded, but never down to the limit that it is over. */
function roundAbove(share: number, limit: number): number {
  const rounded = Math.round(share);
  return rounded > limit ? rounded : Math.ceil(share * 10) / 10;
}

interface Owning {
  readonly stack: string;
  readonly bound: readonly Bound[];
  readonly facts: Facts;
}

/**
 * How many objects of each kind this stack has to do with: those that it owns, and those of the workspace that its
 * manifests describe and that it does not own yet. What turned out to be gone is not counted.
 */
export function countObjects(steps: readonly Step[], { stack, bound, facts }: Owning): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (kind: string, by: number): Map<string, number> => counts.set(kind, (counts.get(kind) ?? 0) + by);
  for (const [address, fact] of facts) if (fact.stack === stack) count(splitAddress(address).kind, 1);
  for (const { manifest, live, fact } of bound) {
    const [lives, isOwn] = [live.match !== 'none', fact?.stack === stack];
    if (lives !== isOwn) count(manifest.kind, lives ? 1 : -1);
  }
  for (const { action, address } of steps) if (action === 'forget') count(splitAddress(address).kind, -1);
  return counts;
}

/** Manifests that describe nothing are rather a wrong folder than the wish to delete all. */
export const emptyInput: Guard = (steps, input) => {
  const deleted = steps.filter(isDelete);
  if (input.described > 0 || deleted.length === 0) return [];
  const what = deleted.length === 1 ? '1 object' : `${deleted.length} objects`;
  const fact = `No manifest describes any object, and ${what} would be deleted (use \`dexsync destroy\` to do that)`;
  return [overridableFinding('empty-input', input, fact, addressesOf(deleted))];
};

const DOES = { DELETE: 'delete records', REPLACE: 'replace existing records' } as const;

/** At most so many rows of one import delete or replace records. */
export const importRows: Guard = (steps, input) => {
  const most = input.settings.importRows;
  return destructiveImports(steps, input.jobs)
    .filter(({ rows }) => rows > most)
    .map(({ address, mode, rows }) => {
      const fact = `${rows} rows of ${address} would ${DOES[mode]} (mode ${mode}, the limit is ${most})`;
      return overridableFinding('import-rows', input, fact, [address]);
    });
};

/** A file that lost a great part of its rows is rather a broken export than the wish to delete their records. */
export const missingRows: Guard = (steps, input) => {
  const totals = new Map(input.jobs.map(({ address, missingOf }) => [address, missingOf]));
  return destructiveImports(steps, input.jobs).flatMap(({ address, rows }) => {
    const all = totals.get(address);
    const limit = all === undefined ? undefined : excessOf(input.settings.missingRows, rows, all);
    if (limit === undefined) return [];
    const fact = `${rows} of ${all} records would be deleted by ${address}, since the file no longer has them (${limit})`;
    return [overridableFinding('import-rows', input, fact, [address])];
  });
};

/** A plan that may cost more than agreed stops as a whole: half of it would be dearer still in the end. */
export const maxRequests: Guard = (steps, input) => {
  const most = input.settings.maxRequests;
  const price = priceOf(steps, input.jobs, input.atEnd);
  if (most === undefined || price.max <= most) return [];
  const range = price.min === price.max ? `${price.max}` : `${price.min} to ${price.max}`;
  const fact = `This apply would take ${range} requests (the limit is ${most})`;
  return [
    overridableFinding('max-requests', input, fact, addressesOf(steps.filter(({ writes }) => writes.length > 0))),
  ];
};
