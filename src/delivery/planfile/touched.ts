import type { Catalog } from '#core/catalog.js';
import { neededReferences, seenReferences } from '#core/engine/references.js';
import { importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { type Address, addressOf, namesAmong, splitAddress } from '#core/model/address.js';
import { isChecked } from '#core/model/kind.js';
import { lookupKey } from '#core/model/observation.js';
import type { Plan, Step } from '#core/model/plan.js';
import { lookupsOfMapping } from '#data/imports/standard-fields.js';
import type { ObserveRequest } from '#service/observe.js';
import type { LookupPart } from '#service/read-lookup.js';

/** Returns what to read to recheck a plan and to apply it: its objects and what they refer to. */
export function touchedBy(plan: Plan, { allKinds, kindNamed, lookupNamed }: Catalog): ObserveRequest {
  const steps = plan.steps.filter(({ writes }) => writes.length > 0);
  const needed = steps.flatMap((step) => neededReferences(step, kindNamed));
  const seen = steps.flatMap((step) => seenReferences(step, kindNamed));
  const imports = steps.flatMap(({ writes }) => writes.flatMap((write) => (write.verb === 'import' ? write : [])));
  const names = new Set([...steps.map(({ address }) => splitAddress(address).kind), ...needed.map(({ kind }) => kind)]);
  if (imports.length > 0) names.add(importDefinition.name);
  const ofMappings = imports.flatMap(({ request }) => lookupsOfMapping(parseImportDefinition(request.definition.spec)));
  const parts = [...needed, ...seen].flatMap(({ kind, partition }): LookupPart[] => {
    const lookup = lookupNamed(kind);
    return lookup === undefined || !Object.hasOwn(lookup.partitions, partition) ? [] : [{ lookup, partition }];
  });
  return {
    kinds: allKinds.filter((kind) => !isChecked(kind) && names.has(kind.name)),
    lookups: unique([...parts, ...ofMappings]),
    childrenOf: childrenSeen(steps, kindNamed),
    alone: describedIn(plan),
    settingsOf: namesAmong(steps.map(({ address }) => address)),
  };
}

const unique = (parts: readonly LookupPart[]): LookupPart[] => [
  ...new Map(parts.map((part) => [lookupKey(part.lookup.name, part.partition), part])).values(),
];

/** Selects the children that the plan saw, and the definitions that its imports use. */
function childrenSeen(steps: readonly Step[], kindNamed: Catalog['kindNamed']): ObserveRequest['childrenOf'] {
  const wanted = new Map(
    steps.map(({ address, liveName, observed = {} }): [Address, readonly string[]] => {
      const { kind, name } = splitAddress(address);
      const fields = Object.keys(kindNamed(kind)?.children ?? {}).filter((field) => field in observed);
      return [addressOf(kind, liveName ?? name), fields];
    }),
  );
  for (const { writes } of steps) {
    for (const write of writes) {
      if (write.verb !== 'import') continue;
      const definition = addressOf(importDefinition.name, String(write.request.spec.definition));
      if (!wanted.has(definition)) wanted.set(definition, []);
    }
  }
  return (kind, name) => wanted.get(addressOf(kind, name));
}

/** Whether the plan's manifests describe an object, for kinds that gather objects into one. */
function describedIn({ steps, apart = [] }: Plan): (kind: string, name: string) => boolean {
  const described = new Set([...steps.map(({ address }) => address), ...apart]);
  return (kind, name) => described.has(addressOf(kind, name));
}
