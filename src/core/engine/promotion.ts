import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import type { Address } from '../model/address.js';
import { type Json, sameJson } from '../model/json.js';
import type { ObjectFact, PromotionBase } from '../model/object-fact.js';
import type { Plan } from '../model/plan.js';
import { type Bound, renameReferences } from './bind.js';
import { block, type Decision } from './decision.js';
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
export function promoteBound(bound: Bound, promoting: Promoting, renamed: ReadonlyMap<Address, string>): Bound {
  const { manifest, desired, live, fact } = bound;
  const { source, release, lineageOf, choose, schemaOf } = promoting;
  const lineage = lineageOf(manifest.address);
  if (lineage === undefined) return bound;
  const base: PromotionBase = { source, release, lineage, spec: desired };
  const last = fact?.promoted;
  const choice = choose(manifest.address);
  if (last !== undefined && last.source !== source && choice === undefined)
    return promoted(bound, { base, conflicts: [{ why: `${last.release} brought it here before` }] });
  const schema = schemaOf(manifest.kind);
  const before = last && renameReferences(last.spec, schema, renamed);
  if ('object' in live) {
    const specs = { base: before ?? {}, theirs: desired, ours: live.object.spec };
    const { spec, kept, conflicts } = mergeSpecs(schema, specs, (path) => choose(manifest.address, path) ?? choice);
    return { ...promoted(bound, { base, kept, conflicts: conflicts.map(phraseOf) }), desired: spec };
  }
  if (live.match !== 'none' || before === undefined) return promoted(bound, { base });
  const isSame = sameJson(normalForm(schema, before), normalForm(schema, desired));
  if (choice === 'target' || (choice === undefined && isSame)) return promoted(bound, { base, isDeleted: true });
  const conflicts = choice === undefined ? [{ why: 'the release changed it, and it was deleted here' }] : [];
  return promoted(bound, { base, conflicts });
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
  stack: string,
): Partial<PromotionFacts> {
  const records = bound.flatMap(({ manifest, promotion, fact }, index): PromotionFacts['records'][number][] => {
    if (promotion === undefined || fact?.stack !== stack || decided[index] !== undefined) return [];
    const object: ObjectFact = { ...fact, promoted: promotion.base };
    return isRecorded(fact, promotion.base) ? [] : [{ address: manifest.address, fact: object }];
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
