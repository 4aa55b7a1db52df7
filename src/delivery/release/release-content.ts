import { inNaturalOrder } from '#base/natural-order.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { baseOf, pick, withBase } from '#core/engine/field-base.js';
import { liveIndex } from '#core/engine/live-index.js';
import { normalForm } from '#core/engine/normal-form.js';
import { objectOfFact } from '#core/engine/ownership.js';
import { listReferences } from '#core/engine/references.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import { type Capability, lookupKey, type Observation, type Observed } from '#core/model/observation.js';
import type { Release, ReleaseContent, ReleasedObject } from '#core/model/release.js';
import type { LedgerState } from '#ledger/fold.js';

/** What a release is built from. */
export interface ReleaseParts {
  readonly as: Release['as'];
  readonly stack: string;
  readonly state: LedgerState;
  readonly observation: Observation;
  readonly manifests: readonly Manifest[];
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
}

/** Returns what an environment has of a stack. Its objects were all found and read. */
export function releaseContent(parts: ReleaseParts): ReleaseContent {
  const { stack, state, observation, manifests, kindNamed } = parts;
  const index = liveIndex(observation);
  const labels = new Map(manifests.map(({ address, metadata }) => [address, metadata.labels]));
  const own = [...state.objects].filter(([, fact]) => fact.stack === stack);
  const objects = own.flatMap(([address, fact]): ReleasedObject[] => {
    const object = objectOfFact(address, { facts: state.objects, index, kindNamed });
    if (object === undefined) return [];
    const kind = kindNamed(splitAddress(address).kind);
    const lineage = state.lineages.get(object.identity) ?? object.identity;
    return [
      {
        ...releasedObject(address, { fact, object, kind }, parts),
        lineage,
        ...omitUndefined({ labels: labels.get(address) }),
      },
    ];
  });
  return {
    objects: inNaturalOrder(objects, ({ address }) => address),
    imports: releasedImports(state, stack),
    lookups: lookupsOf(objects, observation, kindNamed),
  };
}

interface Found {
  readonly fact: ObjectFact;
  readonly object: Observed;
  readonly kind: Kind;
}

/** Of a live release, all fields count as named, empty ones too, and the object has the name that people gave it. */
function releasedObject(
  address: Address,
  { fact, object, kind }: Found,
  { as, capabilityOf }: ReleaseParts,
): Omit<ReleasedObject, 'lineage' | 'labels'> {
  const { protect } = fact;
  const { schema } = kind;
  const can = capabilityOf(kind);
  const normal = (spec: JsonObject): JsonObject => normalForm(schema, spec) as JsonObject;
  if (as === 'live') {
    const seen = baseOf(schema, withBase(kind, can, { ...fact, applied: {} }, { seen: object.spec }));
    const empty = pick(seen, (field) => seen[field] === null);
    return {
      address: addressOf(kind.name, object.name),
      protect,
      spec: normal({ ...empty, ...object.spec }),
      unnamed: {},
    };
  }
  const { applied, observed = {} } = withBase(kind, can, fact, { before: fact, seen: object.spec });
  return { address, protect, spec: normal(applied), unnamed: normal(observed) };
}

/** Lists the newest content that each import of the stack committed. */
function releasedImports(state: LedgerState, stack: string): ReleaseContent['imports'] {
  const newest = new Map<Address, ReleaseContent['imports'][number]>();
  for (const { address, key, job, facts } of state.imports.values()) {
    if (job.state !== 'committed' || (facts !== undefined && facts.stack !== stack)) continue;
    if (facts?.retries !== undefined || facts?.undoes !== undefined) continue;
    const known = newest.get(address);
    if (known !== undefined && known.at >= job.at) continue;
    const { definition, file } = facts ?? {};
    newest.set(address, {
      address,
      digest: key,
      ...omitUndefined({ definition, file }),
      rows: job.of ?? job.rows,
      at: job.at,
    });
  }
  return inNaturalOrder([...newest.values()], ({ address }) => address);
}

/** Collects what is known of everything that the objects refer to and that no manifest makes. */
function lookupsOf(
  objects: readonly ReleasedObject[],
  { lookups, lookupFacts }: Observation,
  kindNamed: (name: string) => Kind,
): ReleaseContent['lookups'] {
  const found = new Map<string, Map<string, JsonObject>>();
  for (const { address, spec } of objects) {
    for (const { kind, partition, name } of listReferences(kindNamed(splitAddress(address).kind).schema, spec)) {
      const key = lookupKey(kind, partition);
      if (!lookups.has(key)) continue;
      const names = found.get(key) ?? new Map<string, JsonObject>();
      found.set(key, names.set(name, lookupFacts?.get(key)?.get(name.toLowerCase()) ?? {}));
    }
  }
  return Object.fromEntries([...found].map(([key, names]) => [key, Object.fromEntries(names)]));
}
