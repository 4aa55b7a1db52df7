import type { LiveIdentity, ObjectFact } from '#core/model/object-fact.js';
import type { ObjectRecord, StateRecord } from './journal-record.js';

/** A replacement is recorded with the object that it replaces, and with its own identity once it was created. */
export function continueLineage(
  before: ObjectFact | undefined,
  object: ObjectFact | null,
  lineages: Map<LiveIdentity, LiveIdentity>,
): void {
  const replaced = before?.identity === undefined ? before?.former?.identity : undefined;
  const identity = object?.identity;
  if (replaced === undefined || identity === undefined || identity === replaced) return;
  lineages.set(identity, lineages.get(replaced) ?? replaced);
}

/** The record of an object before it was created in place of another one. */
export function replacementOf(
  first: LiveIdentity,
  { type, at, address, object }: ObjectRecord & { object: ObjectFact },
): StateRecord {
  const { identity: _, former: __, refused: ___, ...known } = object;
  return { type, at, address, object: { ...known, former: { ...known, identity: first } } };
}
