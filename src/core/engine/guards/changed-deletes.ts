import { omitUndefined } from '#base/omit-undefined.js';
import { splitAddress } from '../../model/address.js';
import type { Step } from '../../model/plan.js';
import { lastChange } from '../decision.js';
import { topField } from '../diff.js';
import { changesSince } from '../unnamed-drift.js';
import { type Guard, type GuardInput, isDelete, overridableFinding, stepAddresses } from './guard.js';

const MOST_SHOWN = 3;

/** Denies deletes of objects that someone renamed or changed since the last apply: they may be that person's now. */
export const changedDeletes: Guard = (steps, input) => {
  const deletes = steps.filter(isDelete);
  if (deletes.length === 0) return [];
  const names = input.currentNames();
  const changed = deletes.flatMap((step) => {
    const what = changeOf(step, input, names);
    return what === undefined ? [] : [{ step, text: `${step.address} ${what}` }];
  });
  if (changed.length === 0) return [];
  const shown = changed.slice(0, MOST_SHOWN).map(({ text }) => text);
  const more = changed.length > shown.length ? [`${changed.length - shown.length} more`] : [];
  const fact = `Someone changed what would be deleted: ${[...shown, ...more].join('; ')}`;
  return [overridableFinding('changed-deletes', input, fact, stepAddresses(changed.map(({ step }) => step)))];
};

function changeOf(
  { address, liveName, observed, audit, reason }: Step,
  { facts, kindNamed, capabilityOf }: GuardInput,
  names: ReturnType<GuardInput['currentNames']>,
): string | undefined {
  const fact = facts.get(address);
  // A copy never matched the fact of its address.
  if (fact === undefined || observed === undefined || reason === 'twin') return undefined;
  const kind = kindNamed(splitAddress(address).kind);
  const object = names.ofObject({ spec: observed, ...omitUndefined({ audit }) }, kind);
  const paths = changesSince(names.ofFact(fact, kind), object, kind, capabilityOf(kind)).flatMap(({ fields }) =>
    fields.map(({ path }) => topField(path)),
  );
  const fields = [...new Set(paths)];
  const renamed = liveName === undefined ? [] : [`is now named "${liveName}"`];
  const changes = fields.length === 0 ? [] : [`has another ${fields.join(', ')}`];
  const what = [...renamed, ...changes].join(' and ');
  return what === '' ? undefined : `${what}${lastChange(audit)}`;
}
