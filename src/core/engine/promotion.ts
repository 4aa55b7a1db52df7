import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import { type Json, type JsonObject, sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact, PromotionBase } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';
import type { Plan } from '../model/plan.js';
import { applyRenamesToFact, type Bound, renameReferences } from './bind.js';
import { block, consentTo, type Deciding, type Decision } from './decision.js';
import { namesBeforeRename } from './follow-renames.js';
import { normalForm } from './normal-form.js';
import type { PromotedObject } from './promoted-object.js';
import { type Conflict, mergeSpecs, type Side } from './three-way-merge.js';

/** A release on its way to an environment. */
export interface Promoting extends Pick<PromotionBase, 'source' | 'release'> {
  /** Undefined for a manifest that the release does not bring. */
  readonly lineageOf: (address: Address) => string | undefined;
  /** All objects of the release, selected or not. */
  readonly lineages: ReadonlySet<string>;
  /** What a person decided about an object, or about one of its fields. */
  readonly choose: (address: Address, path?: string) => Side | undefined;
  readonly schemaOf: (kind: string) => object;
}

/** Lays a release over an object: what only the target changed since the last promotion stays. */
export function promoteBound(
  found: Bound,
  promoting: Promoting,
  renamed: ReadonlyMap<Address, string>,
  names: KeptNames = new Map(),
): Bound {
  const bound = withKnownAddress(found);
  const { manifest, desired, live, fact } = bound;
  const { source, release, lineageOf, choose, schemaOf } = promoting;
  const lineage = lineageOf(manifest.address);
  if (lineage === undefined) return bound;
  const schema = schemaOf(manifest.kind);
  const base: PromotionBase = { source, release, lineage, spec: renameReferences(desired, schema, ownNames(names)) };
  const last = fact?.promoted;
  const choice = choose(manifest.address);
  if (last !== undefined && last.source !== source && choice === undefined)
    return promoted(bound, { base, conflicts: [{ why: `${last.release} brought it here before` }] });
  // A creation without an answer has asked nothing yet.
  const asked = fact?.identity === undefined ? undefined : last?.spec;
  const before = asked && renameReferences(renameReferences(asked, schema, renamed), schema, names);
  if ('object' in live)
    return promoteLive(bound, live.object, {
      ...{ base, schema, before, names, choice },
      choose: (path) => choose(manifest.address, path) ?? choice,
    });
  if (live.match !== 'none' || before === undefined) return promoted(bound, { base });
  const isSame = sameJson(normalForm(schema, before), normalForm(schema, desired));
  if (choice === 'target' || (choice === undefined && isSame)) return promoted(bound, { base, isDeleted: true });
  const conflicts = choice === undefined ? [{ why: 'the release changed it, and it was deleted here' }] : [];
  return promoted(bound, { base, conflicts });
}

/** An object that keeps its name keeps its address in the ledger, too. */
function withKnownAddress({ knownAs, ...bound }: Bound): Bound {
  return knownAs === undefined || knownAs === bound.manifest.address ? bound : { ...bound, knownAs };
}

/** The names that the release has, by the addresses of the names that stay. */
const ownNames = (names: KeptNames): ReadonlyMap<Address, string> =>
  new Map(
    [...names].map(([address, name]) => [addressOf(splitAddress(address).kind, name), splitAddress(address).name]),
  );

interface Merging {
  readonly base: PromotionBase;
  readonly schema: object;
  /** What the last promotion asked; undefined if there was none. */
  readonly before: JsonObject | undefined;
  readonly names: KeptNames;
  readonly choose: (path: string) => Side | undefined;
  /** For the whole object. */
  readonly choice: Side | undefined;
}

/** Merges what a release asks into an object that exists. */
function promoteLive(bound: Bound, { spec: ours }: Observed, merging: Merging): Bound {
  const { base, schema, before, choose, choice } = merging;
  // Without a base, a person alone can say that values of the target count.
  const unbased = choice === 'target' ? bound.desired : {};
  const { spec, ...merged } = mergeSpecs(schema, { base: before ?? unbased, theirs: bound.desired, ours }, choose);
  const name = nameIn(bound, merging);
  const kept = [...(name.kept ?? []), ...merged.kept];
  const conflicts = [...(name.conflicts ?? []), ...merged.conflicts.map(phraseOf)];
  return { ...promoted(bound, { base, kept, conflicts, isTaken: choice === 'release' }), desired: spec };
}

/** Names that people gave objects on the target, by the addresses of their manifests. */
export type KeptNames = ReadonlyMap<Address, string>;

/** Merges names as fields: one that people gave on the target stays, unless the release gives another one. */
export function keptNames(bound: readonly Bound[], { lineageOf, choose }: Promoting): KeptNames {
  return new Map(
    bound.flatMap(({ live, fact, knownAs, manifest: { address } }): [Address, string][] => {
      const isPromoted = fact?.promoted !== undefined && lineageOf(address) !== undefined;
      if (live.match !== 'moved' || !isPromoted) return [];
      const side = choose(address, 'name') ?? choose(address) ?? (knownAs === undefined ? 'target' : undefined);
      return side === 'target' ? [[address, live.raw.name]] : [];
    }),
  );
}

/** Gives a manifest, and what it refers to, the names that stay on the target. */
export const withKeptNames = (manifest: Manifest, schema: object, names: KeptNames): Manifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, name: names.get(manifest.address) ?? manifest.metadata.name },
  spec: renameReferences(manifest.spec, schema, names),
});

/** What a promotion says of the name of an object. */
function nameIn(
  { live, manifest, knownAs, fact }: Bound,
  { names, choose }: Pick<Merging, 'names' | 'choose'>,
): Partial<PromotedObject> {
  const { address, metadata } = manifest;
  const after = names.get(address);
  if (after !== undefined) return { kept: [{ path: 'name', before: splitAddress(knownAs ?? address).name, after }] };
  if (live.match !== 'moved' || fact?.promoted === undefined || choose('name') === 'release' || knownAs === undefined)
    return {};
  const why = `its name is "${metadata.name}" in the release and "${live.raw.name}" here`;
  return { conflicts: [{ field: 'name', why }] };
}

/** Whether an earlier release of the same source brought an object that this one does not have. */
export const isGoneFromRelease = ({ source, lineages }: Promoting, fact: ObjectFact | undefined): boolean =>
  fact?.promoted?.source === source && !lineages.has(fact.promoted.lineage);

const promoted = (bound: Bound, promotion: Pick<PromotedObject, 'base'> & Partial<PromotedObject>): Bound => ({
  ...bound,
  promotion: { kept: [], conflicts: [], ...promotion },
});

const phraseOf = ({ path, theirs, ours }: Conflict): PromotedObject['conflicts'][number] => ({
  field: path,
  why: `${path} is ${phrase(theirs)} in the release and ${phrase(ours)} here`,
});

const phrase = (value: Json | undefined): string => (value === undefined ? 'empty' : JSON.stringify(value));

/** Blocks an object that both sides changed, and says how to decide. */
export function blockConflicts(bound: Bound, schema: object, { base, conflicts }: PromotedObject): Decision {
  const { address } = bound.manifest;
  const [first] = conflicts;
  const place = conflicts.length === 1 && first?.field !== undefined ? `${address}#${first.field}` : address;
  const message = `Since the last promotion both ${base.release} and this environment changed it: ${conflicts.map(({ why }) => why).join('; ')}. Decide with \`--take release ${shellWord(place)}\` or \`--take target ${shellWord(place)}\`.`;
  return block(bound, schema, { reason: 'conflict', message });
}

/**
 * Asks for consent, as for an adoption, before a release overwrites what no release brought; undefined where there is
 * nothing to ask.
 */
export function takeUnpromoted(
  bound: Bound,
  { schema }: Kind,
  { adopt }: Pick<Deciding, 'adopt'>,
  decided: Decision | undefined,
): Decision | undefined {
  const { manifest, fact, promotion } = bound;
  const isPromoted = promotion === undefined || fact?.promoted !== undefined || promotion.isTaken === true;
  const sends = decided?.writes.some(({ verb }) => verb !== 'record') === true;
  if (isPromoted || decided === undefined || !sends) return undefined;
  const why = `${promotion.base.release} is the first release that brings it here, and it is different here.`;
  const consent = consentTo(adopt);
  if (consent !== undefined) return { ...decided, message: `${why} ${decided.message}`, consent };
  const place = shellWord(manifest.address);
  const message = `${why} \`--adopt\` takes what the release has, of all such objects; \`--take release ${place}\` of this one, \`--take target ${place}\` keeps it as it is.`;
  return block(bound, schema, { reason: 'conflict', message, decided });
}

/** Adds to a decision what its release asked, for the next promotion. */
export function withPromotion(decision: Decision | undefined, { promotion }: Bound): Decision | undefined {
  const fact = decision?.fact;
  if (decision === undefined || promotion === undefined || fact === undefined || fact === null) return decision;
  return { ...decision, fact: { ...fact, promoted: promotion.base } };
}

/** What a plan says of a promotion besides its steps. */
export interface PromotionFacts {
  readonly records: NonNullable<Plan['records']>;
  readonly kept: NonNullable<NonNullable<Plan['promoted']>['kept']>;
}

/** Collects what the ledger records of own objects that need no step, and what only the target changed. */
export function promotionFacts(
  bound: readonly Bound[],
  decided: readonly (Decision | undefined)[],
  { stack, kindNamed }: { readonly stack: string; readonly kindNamed: (name: string) => Kind },
): Partial<PromotionFacts> {
  const former = namesBeforeRename(bound);
  const records = bound.flatMap(({ manifest, promotion, fact }, index): PromotionFacts['records'][number][] => {
    if (promotion === undefined || fact?.stack !== stack || decided[index] !== undefined) return [];
    const object: ObjectFact = { ...fact, promoted: promotion.base };
    const recorded = applyRenamesToFact(object, kindNamed(manifest.kind).schema, former);
    return isRecorded(fact, promotion.base) ? [] : [{ address: manifest.address, fact: recorded }];
  });
  const kept = bound.flatMap(({ manifest: { address }, promotion }): PromotionFacts['kept'][number][] => {
    if (promotion?.isDeleted === true) return [{ address, fields: [], deleted: true }];
    return promotion === undefined || promotion.kept.length === 0 ? [] : [{ address, fields: promotion.kept }];
  });
  return omitUndefined({
    records: records.length === 0 ? undefined : records,
    kept: kept.length === 0 ? undefined : kept,
  });
}

/** Whether the last release asked for the same. */
const isRecorded = ({ promoted: known }: ObjectFact, { source, lineage, spec }: PromotionBase): boolean =>
  known !== undefined && sameJson([known.source, known.lineage, known.spec], [source, lineage, spec]);
