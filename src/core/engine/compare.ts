import type { Diagnostic } from '#base/diagnostics.js';
import { inNaturalOrder } from '#base/natural-order.js';
import { type Address, addressOf } from '../model/address.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { type Kind, looksLikeGuid } from '../model/kind.js';
import { NAMELESS, type Observation, type Observed } from '../model/observation.js';
import type { FieldChange } from '../model/plan.js';
import { diffSpec } from './diff.js';
import { byName, deadPlaces, liveFindings } from './live-findings.js';
import { oddObjects } from './odd-objects.js';
import { wholeSpec } from './whole-spec.js';

/** One of two workspaces that are compared. */
export interface Side extends Pick<Observation, 'objects' | 'unlisted'> {
  /** Name of the environment in messages. */
  readonly environment: string;
  /** Fields that its service does not return. */
  readonly hidden: (kind: Kind) => readonly string[];
}

/** The two workspaces that are compared. */
export interface Sides {
  readonly from: Side;
  readonly to: Side;
}

/** An object that differs. Its `fields` are the changes that make the object of `to` equal to that of `from`. */
export interface ObjectDifference {
  readonly address: Address;
  /** `unclear`: it cannot be compared; a finding says why. */
  readonly what: 'only-from' | 'only-to' | 'different' | 'unclear';
  readonly fields: readonly FieldChange[];
}

/** Differences between two workspaces, by ascending address. */
export interface WorkspaceDifferences {
  readonly differences: readonly ObjectDifference[];
  readonly equal: number;
  readonly findings: readonly Diagnostic[];
}

/**
 * Compares the objects of some kinds by address; `isMeant` selects them. Objects that share a name, or that refer to
 * deleted objects in both workspaces, never count as equal.
 */
export function compareSides(
  sides: Sides,
  kinds: readonly Kind[],
  isMeant: (address: Address) => boolean,
): WorkspaceDifferences {
  const pairs = kinds.filter((kind) => isListed(kind, sides)).flatMap((kind) => pairsOf(kind, sides, isMeant));
  const differences = pairs.flatMap((pair) => differenceOf(pair, sides) ?? []);
  return {
    differences: inNaturalOrder(differences, ({ address }) => address),
    equal: pairs.length - differences.length,
    findings: [
      ...kinds.flatMap((kind) => unlistedFindings(kind, sides)),
      ...kinds.flatMap((kind) => (pairs.some((pair) => isBoth(pair, kind)) ? hiddenFindings(kind, sides) : [])),
      ...pairs.flatMap(({ kind, from, to }) => [
        ...liveFindings(kind, from, sides.from.environment, 'warning'),
        ...liveFindings(kind, to, sides.to.environment, 'warning'),
      ]),
      ...kinds.flatMap((kind) => [...oddFindings(kind, sides.from), ...oddFindings(kind, sides.to)]),
    ],
  };
}

const isListed = ({ name }: Kind, { from, to }: Sides): boolean => !from.unlisted.has(name) && !to.unlisted.has(name);

const isBoth = ({ kind, from, to }: Pair, { name }: Kind): boolean =>
  kind.name === name && from.length > 0 && to.length > 0;

/** All objects of one address in each workspace. */
interface Pair {
  readonly kind: Kind;
  readonly address: Address;
  readonly from: readonly Observed[];
  readonly to: readonly Observed[];
}

function pairsOf(kind: Kind, { from, to }: Sides, isMeant: (address: Address) => boolean): Pair[] {
  const ofFrom = byName(objectsOf(kind, from));
  const ofTo = byName(objectsOf(kind, to));
  return [...new Set([...ofFrom.keys(), ...ofTo.keys()])]
    .filter((name) => name !== NAMELESS)
    .map((name) => ({
      kind,
      address: addressOf(kind.name, name),
      from: ofFrom.get(name) ?? [],
      to: ofTo.get(name) ?? [],
    }))
    .filter(({ address }) => isMeant(address));
}

/** Masks GUIDs that no reference accounts for: elsewhere they mean nothing, so they are never equal to each other. */
const objectsOf = ({ name }: Kind, { objects, environment }: Side): Observed[] =>
  (objects.get(name) ?? []).map((object) => ({
    ...object,
    spec: withoutGuids(object.spec, `(a GUID of ${environment})`) as JsonObject,
  }));

function withoutGuids(value: Json, instead: string): Json {
  if (typeof value === 'string')
    return looksLikeGuid(value) && /\d/.test(value) && /[A-Z]/.test(value) ? instead : value;
  if (Array.isArray(value)) return value.map((entry: Json) => withoutGuids(entry, instead));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, entry]) => [field, withoutGuids(entry, instead)]));
}

function differenceOf({ kind, address, from, to }: Pair, sides: Sides): ObjectDifference | undefined {
  const [one, other] = [from[0], to[0]];
  if ([...from, ...to].some(({ odd }) => odd !== undefined)) return { address, what: 'unclear', fields: [] };
  const lacking = one === undefined ? sides.from : other === undefined ? sides.to : undefined;
  if (lacking !== undefined && hasNameless(kind, lacking)) return { address, what: 'unclear', fields: [] };
  if (from.length > 1 || to.length > 1) return { address, what: 'unclear', fields: [] };
  if (other === undefined) return { address, what: 'only-from', fields: contentOf(kind, from) };
  if (one === undefined) return { address, what: 'only-to', fields: contentOf(kind, to).map(asGone) };
  const fields = specDifferences(kind, one.spec, other.spec, sides);
  if (fields.length > 0) return { address, what: 'different', fields };
  // A deleted object has no name by which it could be the same.
  return deadPlaces(kind, one.spec).length > 0 ? { address, what: 'unclear', fields } : undefined;
}

const hasNameless = ({ name: kind }: Kind, side: Side): boolean =>
  oddObjects(kind, side).some(({ name }) => name === NAMELESS);

/** Reports objects that cannot be read: they are neither equal to another object nor different from it. */
const oddFindings = ({ name: kind }: Kind, side: Side): Diagnostic[] =>
  oddObjects(kind, side).map(({ name, odd }): Diagnostic => {
    const message = `${addressOf(kind, name)} of environment "${side.environment}" is not compared: its entry ${odd.why}.`;
    return { severity: 'warning', code: 'answer-odd', message, hint: 'Correct it in that environment.' };
  });

/** Returns all that an object has, except values that the service fills in. */
const contentOf = ({ schema }: Kind, objects: readonly Observed[]): FieldChange[] =>
  objects.flatMap(({ spec }) => diffSpec(schema, spec, {}));

const asGone = ({ path, after }: FieldChange): FieldChange => ({ path, before: after as NonNullable<typeof after> });

function specDifferences(kind: Kind, from: JsonObject, to: JsonObject, sides: Sides): FieldChange[] {
  const hidden = [...sides.from.hidden(kind), ...sides.to.hidden(kind)];
  const all = Object.entries(wholeSpec(kind.schema, from, to, hidden));
  return diffSpec(kind.schema, Object.fromEntries(all.filter(([field]) => !hidden.includes(field))), to);
}

function unlistedFindings({ name }: Kind, { from, to }: Sides): Diagnostic[] {
  return [from, to]
    .filter(({ unlisted }) => unlisted.has(name))
    .map(({ environment }) => ({
      severity: 'warning',
      code: 'kind-unlisted',
      message: `The service of environment "${environment}" does not list ${name} objects, so they are not compared.`,
    }));
}

/** Reports fields that a service does not return: nobody can know whether they differ. */
const hiddenFindings = (kind: Kind, { from, to }: Sides): Diagnostic[] =>
  [from, to].flatMap(({ environment, hidden }): Diagnostic[] => {
    const fields = hidden(kind);
    if (fields.length === 0) return [];
    const message = `The service of environment "${environment}" does not return ${fields.join(', ')} of ${kind.name} objects, so they are not compared.`;
    return [{ severity: 'warning', code: 'field-hidden', message }];
  });
