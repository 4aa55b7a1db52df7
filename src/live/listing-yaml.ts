import { stringify as yaml } from 'yaml';
import type { Catalog } from '../catalog.js';
import type { Diagnostic } from '../diagnostics.js';
import { holdsDeadReference, withoutDeadReferences } from '../engine/references.js';
import { manifestYaml } from '../manifest/manifest-yaml.js';
import { parseYaml } from '../manifest/parse.js';
import { validateManifests } from '../manifest/validate.js';
import { addressOf } from '../model/address.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ListedObject, Listing } from './listing.js';

/** Manifests as text, and what of the objects no manifest can say: it stands in comments too. */
export interface ListingYaml {
  readonly text: string;
  readonly findings: readonly Diagnostic[];
}

/** A listing as manifests, ready to be put into a file; a lookup's entries, which no manifest describes, as a list. */
export function listingYaml({ type, role, objects }: Listing, catalog: Catalog): ListingYaml {
  if (role === 'lookup') return { text: yaml(objects.map(({ name, spec }) => ({ name, ...spec }))), findings: [] };
  const kind = catalog.knownKind(type);
  const seen = new Set<string>();
  const written = objects.map((object) => {
    const isTwin = seen.has(object.name);
    seen.add(object.name);
    return documentOf(object, { kind, catalog }, isTwin);
  });
  return {
    text: written.map(({ text }) => text).join('---\n'),
    findings: written.flatMap(({ address, notes }) => notes.map((note) => notWritten(address, note))),
  };
}

interface WrittenObject {
  readonly address: string;
  readonly text: string;
  readonly notes: readonly string[];
}

function documentOf(
  object: ListedObject,
  { kind, catalog }: { readonly kind: Kind; readonly catalog: Catalog },
  isTwin: boolean,
): WrittenObject {
  const { spec, notes } = writablePart(object.spec, kind);
  const text = manifestYaml({ kind: kind.name, metadata: { name: object.name }, spec });
  const reasons = isTwin
    ? [`another object has the same name${numberNote(object)}; rename one of them`]
    : manifestErrors(text, catalog);
  const all = [...notes, ...reasons.map((reason) => `Not a manifest: ${reason}`)];
  const body = reasons.length === 0 ? text : toComment(text);
  return {
    address: addressOf(kind.name, object.name),
    text: toComment(all.map((note) => `${note}\n`).join('')) + body,
    notes: all,
  };
}

const numberNote = ({ number }: ListedObject): string => (number === undefined ? '' : ` (this is #${number})`);

/** Why the text would not pass `validate`. */
function manifestErrors(text: string, catalog: Catalog): string[] {
  const { documents } = parseYaml(text, 'listing');
  return validateManifests(documents, catalog)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);
}

/** The spec without what no manifest can ask for, and a note on each such thing. */
export function writablePart(live: JsonObject, kind: Kind): { spec: JsonObject; notes: string[] } {
  const alive = withoutDeadReferences(live);
  const dead = deadPlaces(live).map((path) => `Left out: ${path}, which refers to a deleted object`);
  const refused = (kind.check?.(alive) ?? []).filter(({ severity }) => severity !== 'warning');
  const spec = refused.reduce((rest, { pointer }) => omit(rest, pointer.split('/').slice(1)), alive);
  return {
    spec,
    notes: [...dead, ...refused.map(({ pointer, message }) => `Left out: ${dottedPath(pointer)}: it ${message}`)],
  };
}

function deadPlaces(value: Json, path = ''): string[] {
  if (!holdsDeadReference(value)) return [];
  if (Array.isArray(value))
    return value.flatMap((entry, index) => (holdsDeadReference(entry) ? [`${path}[${index}]`] : []));
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([key, entry]) => deadPlaces(entry, path === '' ? key : `${path}.${key}`));
}

const dottedPath = (pointer: string): string => pointer.slice(1).replaceAll('/', '.');

function omit(spec: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  const value = spec[key];
  if (rest.length > 0 && isObject(value)) return { ...spec, [key]: omit(value, rest) };
  const { [key]: _, ...others } = spec;
  return others;
}

const toComment = (text: string): string => text.replaceAll(/^(?=.)/gm, '# ');

const notWritten = (address: string, note: string): Diagnostic => ({
  severity: 'warning',
  code: 'not-written',
  message: `${address}: ${note.replace(/\.$/, '')}.`,
});
