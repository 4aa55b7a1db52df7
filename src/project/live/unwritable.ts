import type { Diagnostic } from '#base/diagnostics.js';
import type { Catalog } from '#core/catalog.js';
import { listReferences, type Reference } from '#core/engine/references.js';
import { validateManifests } from '#core/manifest/validate.js';
import { type Origins, originsAt } from '#core/model/document.js';
import { isObject, type JsonObject } from '#core/model/json.js';
import { isDeadReference, type Kind } from '#core/model/kind.js';
import { dottedPath, type Pointer, pointerKeys, pointerTo } from '#core/model/pointer.js';
import type { CountNamed } from './read-live.js';

/** A reference of a live object that no manifest can express: its target is gone, or several have its name. */
export interface LooseReference extends Reference {
  readonly is: 'gone' | 'ambiguous';
}

/** Finds the references of a live spec whose names do not lead to exactly one object. */
export function looseReferences(schema: object, spec: JsonObject, countNamed: CountNamed): LooseReference[] {
  return listReferences(schema, spec).flatMap((reference): LooseReference[] => {
    if (isDeadReference(reference.name)) return [{ ...reference, is: 'gone' }];
    const count = countNamed(reference) ?? 1;
    return count === 1 ? [] : [{ ...reference, is: count === 0 ? 'gone' : 'ambiguous' }];
  });
}

/** A field of a spec that validation refuses: the whole field if an entry of a list is wrong. */
export interface RefusedField extends Pick<Diagnostic, 'code' | 'message'> {
  readonly field: Pointer;
}

/** A spec that a manifest can have, and the parts that are left out for that. */
export interface ValidPart {
  readonly spec: JsonObject;
  readonly refused: readonly RefusedField[];
  /** Values that a manifest may have only with `known: any`. */
  readonly doubtful: readonly Pointer[];
  /** The reasons why the object still has no manifest; empty if it has one. */
  readonly reasons: readonly string[];
}

/** The part of a spec that `validate` accepts. */
export function validPart(name: string, live: JsonObject, kind: Kind, catalog: Catalog): ValidPart {
  let spec = live;
  const refused: RefusedField[] = [];
  for (;;) {
    const value = { apiVersion: 'dexsync/v1', kind: kind.name, metadata: { name }, spec };
    const { manifests, diagnostics } = validateManifests([{ value, origins: POINTERS }], catalog);
    const found = errorsAmong(diagnostics);
    const fields = found.flatMap(({ pointer, ...why }): RefusedField[] => {
      const field = fieldAround(spec, pointer);
      return field === '' ? [] : [{ field, ...why }];
    });
    if (fields.length === 0) {
      const doubtful = manifests.flatMap(({ doubts = [] }) => doubts.map(({ pointer }) => pointer));
      return { spec, refused, doubtful, reasons: found.map(({ message }) => message) };
    }
    refused.push(...firstOfEach(fields));
    spec = fields.reduce((rest, { field }) => withoutField(rest, field), spec);
  }
}

/** Keeps one reason for each field. */
const firstOfEach = (fields: readonly RefusedField[]): RefusedField[] => [
  ...new Map([...fields].reverse().map((one) => [one.field, one])).values(),
];

const errorsAmong = (diagnostics: readonly Diagnostic[]): { pointer: Pointer; code: string; message: string }[] =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message, origin }) => ({ pointer: (origin?.file ?? '').replace(/^\/spec/, ''), code, message }));

/** Places a finding by its pointer only: a spec without a file has no lines. */
const placeOf = (pointer: Pointer) => ({ file: pointer, line: 1, column: 1, layer: 'base' });
const POINTERS: Origins = { ...originsAt(placeOf('')), value: placeOf, key: placeOf };

/** The innermost field around a place, outside of lists; `''` if the place is not in the spec. */
export function fieldAround(spec: JsonObject, pointer: Pointer): Pointer {
  let value: unknown = spec;
  let field: Pointer = '';
  for (const key of pointerKeys(pointer)) {
    if (!isObject(value) || !Object.hasOwn(value, key)) break;
    field = pointerTo(field, key);
    value = value[key];
  }
  return field;
}

/** The spec without one of its fields. */
export const withoutField = (spec: JsonObject, field: Pointer): JsonObject => omit(spec, pointerKeys(field));

function omit(spec: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  const value = spec[key];
  if (rest.length > 0 && isObject(value)) return { ...spec, [key]: omit(value, rest) };
  const { [key]: _, ...others } = spec;
  return others;
}

/** The entry of a list, or the field, that contains a reference. */
export function placeAround(spec: JsonObject, { pointer }: Pick<Reference, 'pointer'>): string {
  const field = fieldAround(spec, pointer);
  const [index] = pointerKeys(pointer.slice(field.length));
  return dottedPath(index === undefined ? field : pointerTo(field, index));
}
