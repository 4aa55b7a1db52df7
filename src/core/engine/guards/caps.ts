import { splitAddress } from '../../model/address.js';
import type { Cap, GuardFinding } from '../../model/guards.js';
import type { Step } from '../../model/plan.js';
import type { Action } from '../../model/step-schema.js';
import type { Bound } from '../bind.js';
import type { Facts } from '../find-live.js';
import { pricePlan } from '../price.js';
import { destructiveImports } from './destructive-imports.js';
import { type Guard, type GuardInput, isDelete, isReplacement, overridableFinding, stepAddresses } from './guard.js';

/** Limits how many objects of a kind one plan deletes, or renames away if the service cannot delete them. */
export const deletes: Guard = (steps, input) => capFindings('deletes', steps.filter(isDelete), input);

/** Limits replacements: the old object stays under another name, and everything that refers to it has to follow. */
export const replacements: Guard = (steps, input) => capFindings('replacements', steps.filter(isReplacement), input);

const DONE: Partial<Record<Action, string>> = { delete: 'deleted', retire: 'retired', replace: 'replaced' };

/** Denies all steps of a kind or none, since nobody can know which of them were meant. */
function capFindings(guard: 'deletes' | 'replacements', steps: readonly Step[], input: GuardInput): GuardFinding[] {
  return [...byKind(steps)].flatMap(([kind, concerned]) => {
    const { length: count } = concerned;
    const all = Math.max(input.existing.get(kind) ?? 0, count);
    const limit = excessOf(input.settings[guard], count, all);
    if (limit === undefined) return [];
    const done = [...new Set(concerned.map(({ action }) => DONE[action]))].join(' or ');
    const fact = `${count} of ${all} ${kind} objects would be ${done} (${limit})`;
    return [overridableFinding(guard, input, fact, stepAddresses(concerned))];
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

/** Says how far a limit is exceeded; undefined if none is. */
function excessOf({ count: most, percent, from }: Cap, count: number, all: number): string | undefined {
  if (most !== undefined && count > most) return `the limit is ${most}`;
  const share = (100 * count) / all;
  return all >= from && share > percent ? `${roundAbove(share, percent)}%, the limit is ${percent}%` : undefined;
}

/** Rounds a share, but never down to the limit that it exceeds. */
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
 * Counts the objects of each kind that this stack owns, and those in the workspace that its manifests describe and that
 * it does not own yet. Objects that turned out to be gone do not count.
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

const DOES = { DELETE: 'delete records', REPLACE: 'replace existing records' } as const;

/** Limits how many rows of one import delete or replace records. */
export const importRows: Guard = (steps, input) => {
  const most = input.settings.importRows;
  return destructiveImports(steps, input.jobs)
    .filter(({ rows }) => rows > most)
    .map(({ address, mode, rows }) => {
      const fact = `${rows} rows of ${address} would ${DOES[mode]} (mode ${mode}, the limit is ${most})`;
      return overridableFinding('import-rows', input, fact, [address]);
    });
};

/** Limits deletions by missing rows: a broken export is likelier than the wish to delete that many records. */
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

/** Stops a plan that may cost more than agreed as a whole: half of it would cost even more in the end. */
export const maxRequests: Guard = (steps, input) => {
  const most = input.settings.maxRequests;
  const price = pricePlan(steps, input.jobs, input.atEnd);
  if (most === undefined || price.max <= most) return [];
  const range = price.min === price.max ? `${price.max}` : `${price.min} to ${price.max}`;
  const fact = `This apply would take ${range} requests (the limit is ${most})`;
  return [
    overridableFinding('max-requests', input, fact, stepAddresses(steps.filter(({ writes }) => writes.length > 0))),
  ];
};
