import { catalog, kindNamed, lookupNamed } from '../catalog.js';
import type { Linked } from '../engine/link.js';
import { importJob } from '../jobs/import.js';
import { type ImportDefinitionSpec, importDefinition } from '../kinds/import-definition.js';
import { category } from '../lookups/category.js';
import { addressOf } from '../model/address.js';
import type { Kind } from '../model/kind.js';
import { lookupKey, type Observation } from '../model/observation.js';
import type { Client } from '../service/client.js';
import type { Identities } from '../service/identities.js';
import { type ObserveRequest, observe } from '../service/observe.js';
import type { LookupPart } from '../service/read-lookup.js';
import { fillsCategory } from './allowed-values.js';
import type { Host } from './host.js';

export interface Seen {
  readonly observation: Observation;
  readonly identities: Identities;
}

/** Reads what the manifests need of the workspace, and no more. */
export function readWorkspace(linked: Linked, client: Client, host: Host): Promise<Seen> {
  const references = [...linked.external.values()].flat();
  const kindNames = new Set([...linked.manifests.map(({ kind }) => kind), ...references.map(({ kind }) => kind)]);
  const kinds = catalog.kinds.filter(({ name }) => kindNames.has(name));
  const parts = references.flatMap(({ kind, partition }): LookupPart[] => {
    const lookup = lookupNamed(kind);
    return lookup === undefined ? [] : [{ lookup, partition }];
  });
  return observe(
    {
      kinds,
      lookups: unique([...parts, ...lookupsOfImports(linked)]),
      childrenOf: wantedOf(linked),
      alone: (kind, name) => linked.described.has(addressOf(kind, name)),
    },
    { reader: client, kindNamed, lookupNamed, onRead: (what, count) => host.emit({ type: 'read', what, count }) },
  );
}

/** Imports are checked against the categories before they are sent, where their definition fills one. */
function lookupsOfImports({ manifests }: Linked): LookupPart[] {
  const used = new Set(manifests.filter(({ kind }) => kind === importJob.name).map(({ spec }) => spec.definition));
  const definitions = manifests.filter(
    ({ kind, metadata }) => kind === importDefinition.name && used.has(metadata.name),
  );
  const fills = definitions.some(({ spec }) => fillsCategory(spec as ImportDefinitionSpec));
  return fills ? [{ lookup: category, partition: 'ITEMS' }] : [];
}

const unique = (parts: readonly LookupPart[]): LookupPart[] => [
  ...new Map(parts.map((part) => [lookupKey(part.lookup.name, part.partition), part])).values(),
];

/** Live objects that a manifest describes or refers to, and the child collections that it names. */
function wantedOf({ manifests, external }: Linked): ObserveRequest['childrenOf'] {
  const wanted = new Map<string, Map<string, readonly string[]>>();
  const want = (kind: string, name: string, fields: readonly string[]): void => {
    const names = wanted.get(kind) ?? new Map<string, readonly string[]>();
    wanted.set(kind, names);
    names.set(name, [...new Set([...(names.get(name) ?? []), ...fields])]);
  };
  for (const { kind, metadata, spec } of manifests) {
    const fields = Object.keys(childrenOf(kindNamed(kind))).filter((field) => field in spec);
    want(kind, metadata.name, fields);
    if (metadata.renamedFrom !== undefined) want(kind, metadata.renamedFrom, fields);
  }
  for (const { kind, name } of [...external.values()].flat()) want(kind, name, []);
  return (kind, name) => wanted.get(kind)?.get(name);
}

const childrenOf = (kind: Kind | undefined): Kind['children'] => kind?.children ?? {};
