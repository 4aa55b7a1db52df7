import { isOfEnvironment, type Origin } from '#base/diagnostics.js';
import type { Catalog } from '#core/catalog.js';
import { layeredOrigins, type Place } from '#core/manifest/layered-origins.js';
import { addressIn, applyOverlay } from '#core/manifest/overlay.js';
import { type ValidatedManifests, validateManifests } from '#core/manifest/validate.js';
import { type Address, splitAddress } from '#core/model/address.js';
import { type Document, type Manifest, originsAt } from '#core/model/document.js';
import { matchKey, type SchemaNode, traitsOf } from '#core/model/fields.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import { type Pointer, pointerTo } from '#core/model/pointer.js';
import type { FilledLayers } from '#project/read-documents.js';
import type { SourceObject } from './promoted-objects.js';

/**
 * Converts objects of one environment to manifests of another: their specs, with the other environment's variables and
 * overlay on top, and the metadata of its manifests. Leaves out everything that its overlay deletes.
 */
export function promotedManifests(
  objects: readonly SourceObject[],
  layers: FilledLayers,
  origin: Origin,
  catalog: Catalog,
): PromotedManifests {
  const written = new Map(layers.manifests.map((document) => [addressIn(document), document]));
  const documents = objects.map((object) => documentOf(object, written.get(object.address), origin, catalog));
  const meant = new Set<Address | undefined>(objects.map(({ address }) => address));
  const laid = applyOverlay(documents, {
    environment: layers.environment,
    documents: layers.overlay.filter((document) => meant.has(addressIn(document))),
    missing: 'ignored',
    catalog,
  });
  const { manifests, diagnostics } = validateManifests(laid.documents, catalog);
  const released = releasedFields(documents, laid.documents);
  return {
    manifests: manifests.map(withoutLiveDoubts),
    released,
    diagnostics: [...laid.diagnostics, ...diagnostics.filter(isOfManifests)],
  };
}

/** Drops doubts about live values: a value of one environment's service is not a typo in another. */
function withoutLiveDoubts({ doubts = [], ...manifest }: Manifest): Manifest {
  const own = doubts.filter(({ finding: { origin } }) => origin !== undefined && !isOfEnvironment(origin));
  if (own.length > 0) return { ...manifest, doubts: own };
  return doubts.length === 0 ? manifest : { ...manifest, metadata: { ...manifest.metadata, known: 'any' } };
}

/** Promoted objects as manifests. */
export interface PromotedManifests extends ValidatedManifests {
  /** Fields that the overlay deletes, at any depth: they are left as they are, and not cleared. */
  readonly released: ReadonlyMap<Address, readonly string[]>;
}

function releasedFields(before: readonly Document[], after: readonly Document[]): Map<Address, readonly string[]> {
  const left = new Map(after.map((document) => [addressIn(document), fieldsOf(document)]));
  const untouched = new Set(after);
  return new Map(
    before.flatMap((document): [Address, string[]][] => {
      if (untouched.has(document)) return [];
      const address = addressIn(document);
      const fields = fieldsOf(document).filter((field) => left.get(address)?.includes(field) === false);
      return address === undefined || fields.length === 0 ? [] : [[address, fields]];
    }),
  );
}

const fieldsOf = ({ value }: Document): string[] => pathsIn((value as JsonObject).spec ?? {});

const pathsIn = (value: Json): string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([field, inner]) => [field, ...pathsIn(inner).map((path) => `${field}.${path}`)])
    : [];

/** Whether to report a finding: a warning about a value that the service returned is not useful. */
const isOfManifests = ({ severity, origin }: ValidatedManifests['diagnostics'][number]): boolean =>
  severity === 'error' || origin === undefined || !isOfEnvironment(origin);

function documentOf(
  { address, spec, metadata = {} }: SourceObject,
  written: Document | undefined,
  origin: Origin,
  catalog: Catalog,
): Document {
  const { kind, name } = splitAddress(address);
  const base = originsAt(origin);
  if (written === undefined)
    return { value: { apiVersion: 'dexsync/v1', kind, metadata: { name, ...metadata }, spec }, origins: base };
  const { origins } = written;
  const { spec: own = {}, metadata: described, ...envelope } = written.value as JsonObject;
  const places = new Map<Pointer, Place>([['/metadata', { origins, pointer: '/metadata' }]]);
  const at: At = { own: '/spec', laid: '/spec' };
  const filled = applyVariables({ live: spec, own }, catalog.schemaOf(kind) as SchemaNode, at, { origins, places });
  const value = { ...envelope, metadata: { ...(described as JsonObject), ...metadata }, spec: filled };
  return { value, origins: { ...layeredOrigins(base, places), start: origins.start } };
}

interface FillContext {
  readonly origins: Document['origins'];
  readonly places: Map<Pointer, Place>;
}

interface Both {
  readonly live: Json | undefined;
  readonly own: Json;
}

/** The place of a value in the manifest, and in the result. */
interface At {
  readonly own: Pointer;
  readonly laid: Pointer;
}

const inner = ({ own, laid }: At, ofOwn: string | number, ofLaid = ofOwn): At => ({
  own: pointerTo(own, ofOwn),
  laid: pointerTo(laid, ofLaid),
});

/**
 * Returns the live value with those parts of the manifest's that a variable filled in. Takes a list whole if no key
 * identifies one of its filled entries: because the list has none, or because the variable is in the key.
 */
function applyVariables(
  { live, own }: Both,
  schema: SchemaNode | undefined,
  at: At,
  laying: FillContext,
): Json | undefined {
  const { keyed } = traitsOf(schema);
  if (laying.origins.filledBy(at.own) !== undefined) return taken(own, at, laying);
  if (isObject(own)) return layMembers(isObject(live) ? live : undefined, own, schema, at, laying);
  if (keyed === undefined || hasFilledKey(own, keyed, at.own, laying)) {
    return holdsFilled(own, at.own, laying) ? taken(own, at, laying) : live;
  }
  return Array.isArray(own) && Array.isArray(live)
    ? layEntries(live, own, { by: keyed, schema: schema?.items }, at, laying)
    : live;
}

function layMembers(
  live: JsonObject | undefined,
  own: JsonObject,
  schema: SchemaNode | undefined,
  at: At,
  laying: FillContext,
): Json | undefined {
  const laid = Object.entries(own).flatMap(([key, value]): [string, Json][] => {
    const both = { live: live?.[key], own: value };
    const result = applyVariables(both, schema?.properties?.[key], inner(at, key), laying);
    return result === undefined ? [] : [[key, result]];
  });
  return live === undefined && laid.length === 0 ? undefined : { ...live, ...Object.fromEntries(laid) };
}

interface Keyed {
  readonly by: readonly string[];
  readonly schema: SchemaNode | undefined;
}

/** The source environment decides which entries exist. */
const layEntries = (
  live: readonly Json[],
  own: readonly Json[],
  { by, schema }: Keyed,
  at: At,
  laying: FillContext,
): Json[] =>
  live.map((entry, index) => {
    const from = own.findIndex((other) => matchKey(other, by) === matchKey(entry, by));
    if (from < 0) return entry;
    return applyVariables({ live: entry, own: own[from] as Json }, schema, inner(at, from, index), laying) as Json;
  });

const hasFilledKey = (own: Json, keyed: readonly string[], at: Pointer, { origins }: FillContext): boolean =>
  Array.isArray(own) &&
  own.some((_, index) => keyed.some((key) => origins.filledBy(pointerTo(pointerTo(at, index), key)) !== undefined));

function holdsFilled(value: Json, at: Pointer, laying: FillContext): boolean {
  if (laying.origins.filledBy(at) !== undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, entry]) => holdsFilled(entry, pointerTo(at, key), laying));
}

function taken(value: Json, { own, laid }: At, { origins, places }: FillContext): Json {
  places.set(laid, { origins, pointer: own });
  return value;
}
