import { splitAddress } from '../model/address.js';
import type { Kind } from '../model/kind.js';
import type { Step, Write } from '../model/plan.js';
import { type Reference, referencesOf } from './references.js';

/** What the requests of a step refer to by name: it must be there, or be made, before they are sent. */
export function neededReferences(step: Step, kindNamed: (name: string) => Kind | undefined): Reference[] {
  const kind = kindNamed(splitAddress(step.address).kind);
  return kind === undefined ? [] : step.writes.flatMap((write) => referencesIn(write, kind));
}

function referencesIn(write: Write, { schema, children }: Kind): Reference[] {
  switch (write.verb) {
    case 'create':
      return referencesOf(schema, write.spec);
    case 'update':
      return referencesOf(schema, write.fields);
    case 'addChild':
      return [{ pointer: '', kind: children[write.field]?.ref ?? '', partition: '', name: write.name }];
    // What they send was read from the object itself.
    case 'retire':
    case 'removeChild':
    case 'delete':
    case 'record':
    case 'import':
      return [];
  }
  return write satisfies never;
}

/** What an object that was seen refers to: without it its references cannot be read the same way again. */
export function seenReferences(
  { address, observed }: Step,
  kindNamed: (name: string) => Kind | undefined,
): Reference[] {
  const kind = kindNamed(splitAddress(address).kind);
  return kind === undefined || observed === undefined ? [] : referencesOf(kind.schema, observed);
}
