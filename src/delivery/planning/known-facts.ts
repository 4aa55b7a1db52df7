import { DexsyncError } from '#base/errors.js';
import type { Catalog } from '#core/catalog.js';
import { type Address, firstAndMore, splitAddress } from '#core/model/address.js';
import type { LedgerState } from '#ledger/fold.js';

/** What the ledger has of kinds that the project does not list any more stays as it is. */
export function ofKnownKinds(state: LedgerState, catalog: Catalog): LedgerState {
  const known = [...state.objects].filter(([address]) => isKnown(address, catalog));
  return known.length === state.objects.size ? state : { ...state, objects: new Map(known) };
}

/** A plan that is to delete what no manifest describes would leave these out without a word. */
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
