import { attribute } from '../../lookups/attribute.js';
import { category } from '../../lookups/category.js';
import { lifecyclePhase } from '../../lookups/lifecycle-phase.js';
import { numberFormat } from '../../lookups/number-format.js';
import type { Kind, Lookup } from '../../model/kind.js';
import { lookupKey } from '../../model/observation.js';
import { checkedAttributes } from './attributes.js';
import { checkedCategories } from './categories.js';
import { checkedSettings } from './settings.js';

/** All kinds that the service shows and never writes. */
export const checkedKinds: readonly Kind[] = [...checkedCategories, ...checkedAttributes, ...checkedSettings];

/** A partition of a lookup whose entries a checked kind compares; both are read with one request. */
interface SharedList {
  readonly kind: string;
  readonly lookup: Lookup;
  readonly partition: string;
}

const sharedLists: readonly SharedList[] = [attribute, category, lifecyclePhase, numberFormat].flatMap((lookup) =>
  Object.entries(lookup.partitions).flatMap(([partition, collection]) =>
    checkedKinds
      .filter((kind) => kind.collection === collection)
      .map(({ name }) => ({ kind: name, lookup, partition })),
  ),
);

const kindsByEntries = new Map(
  sharedLists.map(({ kind, lookup, partition }) => [lookupKey(lookup.name, partition), kind]),
);

/** The kind of the manifests that describe what a reference names. */
export const kindReferredTo = ({ kind, partition }: { readonly kind: string; readonly partition: string }): string =>
  kindsByEntries.get(lookupKey(kind, partition)) ?? kind;

const names = new Set(checkedKinds.map(({ name }) => name));

/** Whether this is the name of a checked kind. */
export const isCheckedKind = (name: string): boolean => names.has(name);

/** The lookups whose lists have the objects of these kinds. */
export const listsSharedBy = (kinds: ReadonlySet<string>): readonly Omit<SharedList, 'kind'>[] =>
  sharedLists.filter(({ kind }) => kinds.has(kind));
