import { DexsyncError } from '#base/errors.js';
import type { Catalog } from '#core/catalog.js';
import { type Address, firstAndMore, splitAddress } from '#core/model/address.js';
import type { LedgerState } from '#ledger/fold.js';

/** Leaves out objects of kinds that the project no longer lists, which stay in the ledger as they are. */
export function ofKnownKinds(state: LedgerState, catalog: Catalog): LedgerState {
  const known = [...state.objects].filter(([address]) => isKnown(address, catalog));
  return known.length === state.objects.size ? state : { ...state, objects: new Map(known) };
}

/** Refuses owned objects of unknown kinds: a plan that prunes would silently leave them out. */
export function refuseUnknownKinds(owned: readonly Address[], catalog: Catalog): void {
  const unknown = owned.filter((address) => !isKnown(address, catalog));
  const [first] = unknown;
  if (first === undefined) return;
  throw new DexsyncError(
    'UNKNOWN_NAME',
    `This stack owns ${firstAndMore(unknown)}, but there is no kind "${splitAddress(first).kind}".`,
    {
      hint: 'List its module under `kinds` in the configuration until the objects are deleted or forgotten.',
    },
  );
}

const isKnown = (address: Address, { kindNamed }: Catalog): boolean =>
  kindNamed(splitAddress(address).kind) !== undefined;
