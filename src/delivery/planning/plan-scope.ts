import type { Catalog } from '#core/catalog.js';
import type { Linked } from '#core/engine/link.js';
import { isGoneFromRelease } from '#core/engine/promotion.js';
import { leftoverAddresses } from '#core/engine/prune.js';
import type { Selection } from '#core/engine/selection.js';
import { mayPrune } from '#core/engine/selection.js';
import { importJob } from '#core/jobs/import.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { LedgerState } from '#ledger/fold.js';
import { notInManifests } from '#project/not-in-manifests.js';
import { parseAddress } from '#project/parse-address.js';
import type { BindRequest } from './bind-manifests.js';
import { ofKnownKinds, refuseUnknownKinds } from './known-facts.js';
import { isPruning } from './planning-options.js';
import { checkAgainstLedger } from './select-manifests.js';

/** The facts from options and ledger, known before the first request. */
export interface Scope {
  readonly state: LedgerState;
  readonly replace: ReadonlySet<Address>;
  readonly again: ReadonlySet<Address>;
  /** Objects that manifests no longer describe and that the plan may delete. */
  readonly removing: readonly Address[];
  /** Objects that manifests no longer describe and that are only read. */
  readonly left: readonly Address[];
  readonly mayDelete: (address: Address) => boolean;
  /** Addresses that count as described by a manifest. */
  readonly described: ReadonlySet<Address>;
}

/** Gathers what the stages of a plan share. Throws if an option names what no manifest describes. */
export function planScope(request: BindRequest, all: LedgerState): Scope {
  const { config, selection, options, promoting } = request;
  const { stack, catalog } = config;
  const state = ofKnownKinds(all, catalog);
  if (isPruning(options)) refuseUnknownKinds(ownedBy(stack, all), catalog);
  const { linked, promoted } = selection;
  const described = options.reading === 'drift' ? claimedNow(selection, state) : selection.claimed;
  const replace = new Set(options.replace?.map((text) => describedBy(linked, text, catalog)));
  const again = new Set(options.reimport?.map((text) => importDescribed(linked, text)));
  checkAgainstLedger(selection, options, ownedBy(stack, state));
  const isBrought = (address: Address): boolean =>
    promoting !== undefined && isGoneFromRelease(promoting, state.objects.get(address));
  const mayDelete = (address: Address): boolean =>
    (promoted === undefined || isBrought(address)) && mayPrune(selection, address);
  const leftovers = (): Address[] => leftoverAddresses({ stack, facts: state.objects, described });
  const removing = isPruning(options) ? leftovers().filter(mayDelete) : [];
  return {
    state,
    replace,
    again,
    removing,
    left: options.reading === 'drift' ? leftovers() : [],
    mayDelete,
    described,
  };
}

/** Drops former names of renamed objects: drift reports other objects that had such a name. */
function claimedNow({ claimed, linked, leftOut }: Selection, { objects }: LedgerState): ReadonlySet<Address> {
  const over = [...linked.manifests, ...leftOut].flatMap(({ address, kind, metadata: { renamedFrom } }) =>
    renamedFrom !== undefined && objects.has(address) ? addressOf(kind, renamedFrom) : [],
  );
  return new Set([...claimed].filter((address) => !over.includes(address)));
}

/** Returns the address of an object to replace; throws if no manifest describes it. */
function describedBy(linked: Linked, text: string, catalog: Catalog): Address {
  const { address } = parseAddress(text, catalog);
  if (linked.manifests.some((manifest) => manifest.address === address)) return address;
  throw notInManifests(address, linked);
}

/** Finds an import by its address or its name alone: `Import/Nightly parts`, `Nightly parts`. */
function importDescribed(linked: Linked, text: string): Address {
  const imports = linked.manifests.filter(({ kind }) => kind === importJob.name);
  const found = imports.find(({ address, metadata }) => address === text || metadata.name === text);
  if (found !== undefined) return found.address;
  throw notInManifests(text.startsWith(`${importJob.name}/`) ? text : addressOf(importJob.name, text), linked);
}

export const ownedBy = (stack: string, { objects }: LedgerState): Address[] =>
  [...objects].flatMap(([address, fact]) => (fact.stack === stack ? [address] : []));
