import type { Origin } from '#base/diagnostics.js';
import { type Address, splitAddress } from '../model/address.js';
import type { AuditRecord } from '../model/audit-record.js';
import type { SchemaNode } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import { lastIdentity, type ObjectFact } from '../model/object-fact.js';
import type { Capability, Observation, Observed } from '../model/observation.js';
import type { FieldChange } from '../model/plan.js';
import type { Bound } from './bind.js';
import { diffSpec, isRelated } from './diff.js';
import { baseOf } from './field-base.js';
import { currentNames } from './follow-renames.js';
import { withoutLookups } from './normal-form.js';
import { ownLive } from './ownership.js';
import { LEDGER, leftoverObjects, type PruneInput } from './prune.js';
import { holdsDeadReference } from './references.js';
import { overlay } from './spec-after.js';

/** An object of the stack, and how fields that no manifest names differ from what the ledger recorded. */
export interface UnnamedDrift {
  readonly address: Address;
  /** `before` is the live value, `after` the recorded one. */
  readonly fields: readonly FieldChange[];
  /** Someone deleted it. */
  readonly gone?: boolean;
  /** Whether every field has a record. */
  readonly recorded: 'whole' | 'in part';
  /** Child lists that were not read. */
  readonly unread: readonly string[];
  readonly audit?: AuditRecord | undefined;
  readonly origin: Origin;
}

/** Inputs for finding drift. */
export interface UnnamedDriftInput extends Omit<PruneInput, 'why' | 'mayDelete' | 'claimed'> {
  readonly bound: readonly Bound[];
}

/** Finds changes in own objects besides what manifests name, including objects that are no longer in any manifest. */
export function unnamedDrift(drifting: UnnamedDriftInput): UnnamedDrift[] {
  const { bound, stack, kindNamed, capabilityOf, facts, observation } = drifting;
  const { ofFact, ofObject } = currentNames(drifting);
  const isDeleted = ({ live, fact, elsewhere, manifest }: Bound): boolean =>
    live.match === 'none' &&
    elsewhere === undefined &&
    fact?.stack === stack &&
    isGone(manifest.address, fact, observation);
  const described = bound.flatMap((found): UnnamedDrift[] => {
    const { manifest, desired } = found;
    const { address, origins, metadata } = manifest;
    const kind = kindNamed(manifest.kind);
    const own = ownLive(found, stack, kind);
    if (own === undefined) return isDeleted(found) ? [{ address, ...GONE, origin: origins.start }] : [];
    const named = own.isMeant ? desired : {};
    const one = {
      ...own,
      fact: ofFact(own.fact, kind),
      named,
      ignore: metadata.ignore ?? [],
      unsure: own.isMeant ? [] : unsureOf(own.object),
    };
    return changesOf(one, kind, capabilityOf(kind)).map((drift) => ({ address, ...drift, origin: origins.start }));
  });
  const claimed = new Set(bound.flatMap(({ live }) => ('raw' in live ? [live.raw.identity] : [])));
  const left = leftoverObjects({ ...drifting, claimed });
  const others = [...left].flatMap(([address, object]): UnnamedDrift[] => {
    const fact = facts.get(address) as ObjectFact;
    if (object === undefined) return isGone(address, fact, observation) ? [{ address, ...GONE, origin: LEDGER }] : [];
    if (object.odd !== undefined) return [];
    const { kind: kindName, name } = splitAddress(address);
    const kind = kindNamed(kindName);
    const renamed = object.name === name ? [] : [{ path: 'name', before: object.name, after: name }];
    return changesSince(ofFact(fact, kind), ofObject(object, kind), kind, capabilityOf(kind)).map(
      ({ fields, ...one }) => {
        return { address, ...one, fields: [...renamed, ...fields], origin: LEDGER };
      },
    );
  });
  return [...described, ...others];
}

const GONE = { fields: [], gone: true, recorded: 'whole', unread: [] } as const;

/** Whether an object is proven to be gone: its kind was listed, and there is no doubt. */
const isGone = (address: Address, fact: ObjectFact, observation: Observation): boolean =>
  fact.identity !== undefined &&
  observation.objects.has(splitAddress(address).kind) &&
  observation.unproved?.has(lastIdentity(fact)) !== true;

/** Finds how an object differs from what the ledger recorded, regardless of manifests. */
export const changesSince = (
  fact: ObjectFact,
  object: Pick<Observed, 'spec' | 'audit'>,
  kind: Kind,
  can: Capability,
): Omit<UnnamedDrift, 'address' | 'origin'>[] =>
  changesOf({ fact, object, named: {}, ignore: [], unsure: unsureOf(object) }, kind, can);

/** Lists fields with dead references: a target that was not looked up cannot be distinguished from a deleted one. */
const unsureOf = ({ spec }: Pick<Observed, 'spec'>): string[] =>
  Object.keys(spec).filter((field) => holdsDeadReference(spec[field]));

interface Comparing {
  readonly fact: ObjectFact;
  readonly object: Pick<Observed, 'spec' | 'audit'>;
  /** Fields that the manifest names. */
  readonly named: JsonObject;
  readonly ignore: readonly string[];
  /** Fields whose value is uncertain. */
  readonly unsure: readonly string[];
}

function changesOf(
  { fact, object, named, ignore, unsure }: Comparing,
  kind: Kind,
  { hidden = [] }: Capability,
): Omit<UnnamedDrift, 'address' | 'origin'>[] {
  const { schema, children, grow } = kind;
  if (grow !== undefined) return [];
  const unread = Object.keys(children).filter((field) => !(field in object.spec));
  const left = [...hidden, ...unread, ...unsure];
  const base = Object.fromEntries(Object.entries(baseOf(schema, fact)).filter(([field]) => !left.includes(field)));
  const [was, is] = [base, object.spec].map((spec) => withoutLookups(schema, overlay(schema, named, spec)));
  const fields = diffSpec(schema, was as JsonObject, is as JsonObject);
  const known = Object.fromEntries(left.map((field) => [field, null]));
  return [
    {
      fields: fields.filter(({ path }) => !ignore.some((field) => isRelated(path, field))),
      recorded: hasGap(schema as SchemaNode, { ...known, ...named }, base) ? 'in part' : 'whole',
      unread,
      audit: object.audit,
    },
  ];
}

/** Whether any field is neither named nor recorded. */
const hasGap = ({ properties = {} }: SchemaNode, named: JsonObject, base: Json | undefined): boolean =>
  base !== null &&
  Object.entries(properties).some(([field, node]) => {
    const [own, recorded] = [named[field], isObject(base) ? base[field] : undefined];
    return own === undefined ? recorded === undefined : isObject(own) && hasGap(node, own, recorded);
  });
