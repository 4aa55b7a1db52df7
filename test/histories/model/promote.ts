import type { KindName } from './kinds.js';
import { type Place, situationOf } from './situation.js';
import { addressOf, addressOfManifest, type LiveObject, named, type Reference, referencesIn } from './world.js';

/**
 * What a promotion brings along for certain: all that the stack owns and that lives once, by the name that the ledger and the
 * manifests know.
 */
export function promotedObjects(place: Place): LiveObject[] {
  const { ledger, workspace, clone } = place;
  const formers = clone.manifests.map(({ kind, renamedFrom = '' }) => addressOf(kind, renamedFrom));
  return [...ledger].flatMap(([address, { stack, object }]) => {
    const isItself = address === addressOf(object.kind, object.name) && workspace.live.includes(object);
    const isOurs = stack === clone.stack && isItself && !formers.includes(address);
    return isOurs && named(workspace, object.kind, object.name).length === 1 ? [object] : [];
  });
}

/** Whether something of the source may be refused: a name that two have, or one that means nothing, or something else, elsewhere. */
export function mayBeRefused(place: Place): boolean {
  const { workspace, ledger, clone } = place;
  const names = workspace.live.map(({ kind, name }) => addressOf(kind, name));
  const isOdd = clone.manifests.some(
    (one) => situationOf(one, place).is === 'ambiguous' || one.renamedFrom !== undefined,
  );
  const isForeign = ({ kind, name }: Reference): boolean =>
    (ledger.get(addressOf(kind, name))?.stack ?? clone.stack) !== clone.stack;
  const refersToOthers = workspace.live.some(({ kind, fields }) => referencesIn(kind, fields).some(isForeign));
  return isOdd || refersToOthers || new Set(names).size < names.length || isRenamedByHand(place);
}

const isRenamedByHand = ({ ledger, workspace, clone }: Place): boolean =>
  [...ledger].some(([address, { object }]) => {
    const isKnown = clone.manifests.some((one) => addressOfManifest(one) === address);
    return workspace.live.includes(object) && isKnown && address !== addressOf(object.kind as KindName, object.name);
  });
