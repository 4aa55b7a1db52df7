import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import { type Address, addressOf, splitAddress } from '../model/address.js';
import { kindReferredTo } from '../model/checked-kinds.js';
import type { Manifest } from '../model/document.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import type { LiveIdentity, ObjectFact } from '../model/object-fact.js';
import { lookupKey, type Observation, type Observed } from '../model/observation.js';
import { pointerKeys, valueAt } from '../model/pointer.js';
import { type Facts, type Found, findLive } from './find-live.js';
import type { Live } from './live-under.js';
import { explainOddity } from './odd-objects.js';
import type { PromotedObject } from './promoted-object.js';
import { mapReferences, type Reference } from './references.js';

/** A manifest with the live object that was found for it. */
export interface Bound extends Found {
  readonly manifest: Manifest;
  /** The manifest's spec, with each reference under the name that the workspace uses first. */
  readonly desired: JsonObject;
  /** What a promoted release asks of the object. */
  readonly promotion?: PromotedObject;
}

/** All manifests with their live objects, and findings such as references that lead nowhere. */
export interface Binding {
  readonly bound: readonly Bound[];
  /** Names that manifests give to live objects of another name, by the current addresses of these objects. */
  readonly renamed: ReadonlyMap<Address, string>;
  /** The same for the addresses by which facts refer to objects: those that the ledger has of them. */
  readonly recorded: ReadonlyMap<Address, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Resolves every reference against manifests and workspace, and finds each manifest's live object. */
export function bind(
  manifests: readonly Manifest[],
  observation: Observation,
  schemaOf: (kind: string) => object,
  environment: string,
  facts: Facts = new Map(),
  /** Addresses that any manifest describes, including manifests that are not among these. */
  described: ReadonlySet<Address> = new Set(manifests.map(({ address }) => address)),
  /** Where references are looked up besides the workspace, as messages phrase it. */
  among = 'in the manifests',
): Binding {
  const names = nameTable(manifests, observation);
  const found = findLive(manifests, observation, facts, described);
  const matched = manifests.map((manifest, index) => ({ manifest, live: (found[index] as Found).live }));
  const renamed = namesAfterRename(matched);
  const moved = namesAfterRename(matched.filter(({ live }) => live.match === 'moved'));
  const recorded = new Map([...renamed, ...recordedRenames(facts, namesByIdentity(matched))]);
  const diagnostics: Diagnostic[] = [];
  const bound = manifests.map((manifest, index) => {
    const unresolved: Unresolved[] = [];
    const desired = mapReferences(schemaOf(manifest.kind), manifest.spec, (reference) => {
      const resolved = names(reference);
      const now = 'name' in resolved ? moved.get(addressOf(reference.kind, resolved.name)) : undefined;
      if (now !== undefined) diagnostics.push(movedFinding(manifest, reference, now));
      if ('name' in resolved) return resolved.name;
      unresolved.push({ reference, ...resolved });
      return reference.name;
    });
    diagnostics.push(...unresolvedFindings(manifest, unresolved, { environment, among }));
    const one = found[index] as Found;
    diagnostics.push(...doubtFindings(manifest, one.live));
    return { manifest, desired, ...applyRenames(one, schemaOf(manifest.kind), { renamed, recorded }) };
  });
  return { bound, renamed, recorded, diagnostics };
}

/** A manifest with the live object that was found for it, if there is one. */
type Described = Pick<Bound, 'manifest' | 'live'>;

/** Maps the current addresses of objects that this plan renames to their new names. */
export const namesAfterRename = (described: readonly Described[]): ReadonlyMap<Address, string> =>
  new Map(
    described.flatMap(({ manifest: { kind, metadata }, live }): [Address, string][] =>
      live.match === 'renamed' || live.match === 'moved' ? [[addressOf(kind, live.raw.name), metadata.name]] : [],
    ),
  );

/** Maps live objects to the names that their manifests give them. */
export const namesByIdentity = (described: readonly Described[]): ReadonlyMap<LiveIdentity | undefined, string> =>
  new Map(
    described.flatMap(({ manifest: { metadata }, live }): [LiveIdentity, string][] =>
      'raw' in live ? [[live.raw.identity, metadata.name]] : [],
    ),
  );

/** Maps the addresses that the ledger has of objects to their names now, where these are others. */
export const recordedRenames = (
  facts: Facts,
  names: { get(identity: LiveIdentity | undefined): string | undefined },
): ReadonlyMap<Address, string> =>
  new Map(
    [...facts].flatMap(([address, { identity }]): [Address, string][] => {
      const name = identity === undefined ? undefined : names.get(identity);
      return name === undefined || name === splitAddress(address).name ? [] : [[address, name]];
    }),
  );

function applyRenames(
  { live, fact, elsewhere, ...known }: Found,
  schema: object,
  { renamed, recorded }: Pick<Binding, 'renamed' | 'recorded'>,
): Found {
  const ofFact = (one: ObjectFact): ObjectFact => applyRenamesToFact(one, schema, recorded);
  const ofObject = (one: Observed): Observed => ({ ...one, spec: renameReferences(one.spec, schema, renamed) });
  return {
    ...{ ...known, live: applyRenamesToLive(live, schema, renamed), fact: fact && ofFact(fact) },
    ...(elsewhere && { elsewhere: { ...elsewhere, object: ofObject(elsewhere.object), fact: ofFact(elsewhere.fact) } }),
  };
}

/** Rewrites references to renamed objects, since following a rename is not a change. */
export function applyRenamesToLive(live: Live, schema: object, renamed: ReadonlyMap<Address, string>): Live {
  if (renamed.size === 0 || !('raw' in live)) return live;
  const spec = renameReferences(live.object.spec, schema, renamed);
  return { ...live, object: { ...live.object, spec } };
}

/** Rewrites references to renamed objects in a fact of the ledger. */
export function applyRenamesToFact(
  fact: ObjectFact,
  schema: object,
  renamed: ReadonlyMap<Address, string>,
): ObjectFact {
  if (renamed.size === 0) return fact;
  const mapped = (spec: JsonObject): JsonObject => renameReferences(spec, schema, renamed);
  const { applied, observed } = fact;
  return { ...fact, applied: mapped(applied), ...(observed === undefined ? {} : { observed: mapped(observed) }) };
}

/** Replaces the names of renamed objects in the references of a spec by their new names. */
export const renameReferences = (spec: JsonObject, schema: object, renamed: ReadonlyMap<Address, string>): JsonObject =>
  mapReferences(schema, spec, ({ kind, name }) => renamed.get(addressOf(kind, name)) ?? name);

type Resolution = { readonly name: string } | { readonly matches: number; readonly known: readonly string[] };

/** Resolves names by kind or lookup partition to those that the workspace uses first; builds each table on demand. */
function nameTable(manifests: readonly Manifest[], observation: Observation): (reference: Reference) => Resolution {
  const tables = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return ({ kind, partition, name }) => {
    const key = lookupKey(kind, partition);
    const entries = tables.get(key) ?? namesIn(key, kindReferredTo({ kind, partition }), manifests, observation);
    tables.set(key, entries);
    const [first, ...others] = entries.get(name) ?? [];
    if (first !== undefined && others.length === 0) return { name: first };
    // The name has an odd entry, so nobody knows that it leads nowhere: the reference stays as it is.
    if (first === undefined && explainOddity({ kind, partition, name }, observation) !== undefined) return { name };
    return { matches: first === undefined ? 0 : others.length + 1, known: [...entries.keys()] };
  };
}

/** Collects all names of a kind or lookup partition; objects with a manifest come first, by its name for them. */
function namesIn(
  key: string,
  describedAs: string,
  manifests: readonly Manifest[],
  { objects, lookups }: Observation,
): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string[]>();
  const enter = (alias: string, first: string): void => {
    const names = entries.get(alias);
    if (names === undefined) entries.set(alias, [first]);
    else names.push(first);
  };
  const listed = lookups.get(key) ?? [];
  // An entry that a checked manifest describes is one object, not two.
  const known = new Set(listed.map(([first]) => first));
  const own = manifests.filter(({ kind, metadata }) => kind === describedAs && !known.has(metadata.name));
  const described = new Set(own.map(({ metadata }) => metadata.name));
  for (const { metadata } of own) enter(metadata.name, metadata.name);
  for (const { name } of objects.get(key) ?? []) if (!described.has(name)) enter(name, name);
  for (const names of listed) for (const alias of new Set(names)) enter(alias, names[0] as string);
  return entries;
}

/** Lowers a likely typo to a warning if the live object has it, too. */
const doubtFindings = ({ doubts = [], spec }: Manifest, live: Live): Diagnostic[] =>
  doubts.map(({ pointer, finding }) => {
    const lives = 'raw' in live && holdsAt(live.raw.spec, pointerKeys(pointer), valueAt(spec, pointer));
    return lives ? { ...finding, severity: 'warning' } : finding;
  });

/** Whether a place has a value; in a list, any entry counts. */
function holdsAt(within: Json | undefined, [key, ...rest]: readonly string[], value: Json | undefined): boolean {
  if (key === undefined) return within === value;
  if (Array.isArray(within)) return within.some((entry: Json) => holdsAt(entry, rest, value));
  return isObject(within) && holdsAt(within[key], rest, value);
}

/** Reports a reference by a name that someone else gave an own object: it leads nowhere once this plan renames it. */
function movedFinding({ address, origins }: Manifest, { kind, name, pointer }: Reference, now: string): Diagnostic {
  const message = `${address} refers to ${kind}/${name}, which someone renamed to ${kind}/${now}; this plan restores its name.`;
  const origin = origins.value(`/spec${pointer}`);
  return { severity: 'error', code: 'reference-renamed', message, hint: `Write "${now}".`, origin };
}

/** A reference that leads to no object, or to several. */
interface Unresolved {
  readonly reference: Reference;
  readonly matches: number;
  readonly known: readonly string[];
}

/** Where references are looked up, as messages phrase it. */
interface Searched {
  readonly environment: string;
  readonly among: string;
}

/** Number of references of one manifest that are reported one by one; for further ones, only their count. */
const MOST_UNRESOLVED = 100;

function unresolvedFindings(manifest: Manifest, unresolved: readonly Unresolved[], searched: Searched): Diagnostic[] {
  const findings = unresolved.slice(0, MOST_UNRESOLVED).map((one) => unresolvedFinding(manifest, one, searched));
  const [next] = unresolved.slice(MOST_UNRESOLVED);
  if (next === undefined) return findings;
  const message = `${manifest.address} has ${unresolved.length - MOST_UNRESOLVED} more references that lead to no object, or to several.`;
  const origin = manifest.origins.value(`/spec${next.reference.pointer}`);
  return [...findings, { severity: 'error', code: 'reference-unknown', message, origin }];
}

function unresolvedFinding(
  { address, origins }: Manifest,
  { reference, matches, known }: Unresolved,
  { environment, among }: Searched,
): Diagnostic {
  const target: Address = addressOf(reference.kind, reference.name);
  const origin = origins.value(`/spec${reference.pointer}`);
  if (matches > 1) {
    const message = `${address} refers to ${target}, but environment "${environment}" has ${matches} objects with this name.`;
    return {
      severity: 'error',
      code: 'reference-ambiguous',
      message,
      hint: 'Use a name that only one object has.',
      origin,
    };
  }
  const message = `${address} refers to ${target}, which is neither ${among} nor in environment "${environment}".`;
  return withHint(
    { severity: 'error', code: 'reference-unknown', message, origin },
    nearestHint(reference.name, known),
  );
}
