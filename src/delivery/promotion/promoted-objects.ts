import type { Origin } from '#base/diagnostics.js';
import { inNaturalOrder, naturalOrder } from '#base/natural-order.js';
import type { Catalog } from '#core/catalog.js';
import { listReferences } from '#core/engine/references.js';
import { claimedAddresses, matchesAddress, matchesManifest, type Patterns } from '#core/engine/selection.js';
import { addressIn } from '#core/manifest/overlay.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import { isCheckedKind } from '#core/model/checked-kinds.js';
import { type Document, type Manifest, type Metadata, manifestAt } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import type { LedgerState } from '#ledger/fold.js';

/** An object of the source environment. */
export interface SourceObject {
  readonly address: Address;
  readonly spec: JsonObject;
  /** The object in a release. */
  readonly lineage?: string | undefined;
  /** What replaces the metadata of its manifest. */
  readonly metadata?: Pick<Metadata, 'protect' | 'labels'> | undefined;
}

/** The facts that decide which objects are promoted. */
export interface PromotionCriteria {
  readonly patterns: Patterns;
  readonly stack: string;
  /** The target environment. */
  readonly to: string;
  /** The ledger's facts about the source environment. */
  readonly facts: LedgerState['objects'];
  /** Manifests as the target environment reads them; patterns use their labels and files. */
  readonly described: ReadonlyMap<Address, Manifest>;
  /**
   * Objects that the manifests describe only for the source environment, and renamed ones with the new name: under the
   * old name they would be objects of their own.
   */
  readonly staying: ReadonlyMap<Address, string | undefined>;
  /** The origin of an object that no manifest describes. */
  readonly origin: Origin;
}

/** An object that is promoted although nobody chose it, and why. */
export type Reached = NonNullable<Plan['promoted']>['closure'][number];

/** Whether an object is promoted for its own sake: `--only` names it, or else the stack owns it there. */
export function isChosen(address: Address, choosing: PromotionCriteria): boolean {
  const { patterns, stack, facts } = choosing;
  if (isLeftOut(address, choosing)) return false;
  if (patterns.only.length === 0) return facts.get(address)?.stack === stack || isCheckedHere(address, choosing);
  return matchesAny(patterns.only, address, choosing);
}

/** Whether a manifest says what an object of a checked kind must be, which no ledger knows. */
const isCheckedHere = (address: Address, { described }: PromotionCriteria): boolean =>
  described.has(address) && isCheckedKind(splitAddress(address).kind);

/** Whether an object is not promoted even if others need it. */
const isLeftOut = (address: Address, choosing: PromotionCriteria): boolean =>
  choosing.staying.has(address) || matchesAny(choosing.patterns.exclude, address, choosing);

function matchesAny(patterns: Patterns['only'], address: Address, { described, origin }: PromotionCriteria): boolean {
  const manifest = described.get(address) ?? manifestAt(origin, address, {});
  return patterns.some((pattern) =>
    pattern.by === 'address' ? matchesAddress(pattern, address) : matchesManifest(pattern, manifest),
  );
}

/**
 * Returns what chosen objects and jobs refer to, directly or not, each with one that refers to it. An object of another
 * stack is left for that stack to promote, and is only referred to.
 */
export function reachedFrom(
  objects: ReadonlyMap<Address, SourceObject>,
  jobs: readonly Manifest[],
  choosing: PromotionCriteria,
  schemaOf: (kind: string) => object,
): Reached[] {
  const { facts, stack } = choosing;
  const chosen = [...objects.keys()].filter((address) => isChosen(address, choosing)).sort(naturalOrder);
  const meant = new Set<Address>(chosen);
  const reached: Reached[] = [];
  const follow = (because: Address, spec: JsonObject): void => {
    for (const reference of listReferences(schemaOf(splitAddress(because).kind), spec)) {
      const address = addressOf(reference.kind, reference.name);
      const isOurs = (facts.get(address)?.stack ?? stack) === stack;
      if (meant.has(address) || !objects.has(address) || !isOurs || isLeftOut(address, choosing)) continue;
      meant.add(address);
      reached.push({ address, because });
    }
  };
  for (const { address, spec } of jobs) follow(address, spec);
  // The set grows while it is walked.
  for (const address of meant) follow(address, (objects.get(address) as SourceObject).spec);
  return inNaturalOrder(reached, ({ address }) => address);
}

/** Returns the jobs that `--only` names by their kind: jobs are not state of an environment. */
export const jobsNamed = (project: readonly Manifest[], { only, exclude }: Patterns, { jobs }: Catalog): Manifest[] => {
  const names = new Set(jobs.map(({ name }) => name));
  // A pattern of any kind, such as `*`, means objects.
  const naming = only.filter((pattern) => pattern.by === 'address' && pattern.kinds.every((kind) => names.has(kind)));
  return project.filter(
    (manifest) =>
      naming.some((pattern) => matchesManifest(pattern, manifest)) &&
      !exclude.some((pattern) => matchesManifest(pattern, manifest)),
  );
};

/** Returns the manifests by address, and others' addresses: those of the source environment, and old names. */
export function describedAlone(
  project: readonly Manifest[],
  there: readonly Document[],
): Pick<PromotionCriteria, 'described' | 'staying'> {
  const described = new Map(project.map((manifest) => [manifest.address, manifest]));
  const others = there.flatMap((document): [Address, undefined][] => {
    const address = addressIn(document);
    return address === undefined ? [] : [[address, undefined]];
  });
  const renamed = project.flatMap((manifest) =>
    claimedAddresses(manifest).map((address): [Address, string] => [address, manifest.metadata.name]),
  );
  return { described, staying: new Map([...others, ...renamed].filter(([address]) => !described.has(address))) };
}
