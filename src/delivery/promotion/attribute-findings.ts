import type { Diagnostic } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import { quoted } from '#base/printable.js';
import { listFirst } from '#core/engine/notes.js';
import { listReferences, type Reference } from '#core/engine/references.js';
import { attribute as attributes } from '#core/lookups/attribute.js';
import type { Manifest } from '#core/model/document.js';
import { isObject, type JsonObject, textsIn } from '#core/model/json.js';
import { lookupKey, type Observation } from '#core/model/observation.js';
import { valueAt } from '#core/model/pointer.js';

/** The lookups of both environments. */
export interface LookupSides {
  /** Absent if that environment was not read. */
  readonly from?: Pick<Observation, 'lookupFacts'>;
  readonly to: Pick<Observation, 'lookupFacts'>;
  /** The names of the environments. */
  readonly environments: { readonly from: string; readonly to: string };
}

/**
 * Finds attributes of both environments that differ in options or type. A comparison of a promoted object with a value
 * that is not an option is an error; a difference that only data may notice is a warning.
 */
export function attributeFindings(
  manifests: readonly Manifest[],
  schemaOf: (kind: string) => object,
  sides: LookupSides,
): Diagnostic[] {
  const referring = manifests.flatMap((manifest) =>
    listReferences(schemaOf(manifest.kind), manifest.spec)
      .filter(({ kind }) => kind === attributes.name)
      .map((reference) => ({ manifest, reference })),
  );
  const each = new Map(
    referring.map(({ reference }) => [
      `${lookupKey(reference.kind, reference.partition)}/${reference.name}`,
      reference,
    ]),
  );
  return [
    ...referring.flatMap(({ manifest, reference }) => valueFindings(manifest, reference, sides)),
    ...[...each.values()].flatMap((reference) => differenceFindings(reference, sides)),
  ];
}

const factsOf = (
  { kind, partition, name }: Reference,
  side: Pick<Observation, 'lookupFacts'> | undefined,
): JsonObject | undefined => side?.lookupFacts?.get(lookupKey(kind, partition))?.get(name.toLowerCase());

function differenceFindings(reference: Reference, { from, to, environments }: LookupSides): Diagnostic[] {
  const [before, after] = [factsOf(reference, from), factsOf(reference, to)];
  if (before === undefined || after === undefined) return [];
  const { name } = reference;
  const known = textsIn(after.possibleValues);
  const missing = textsIn(before.possibleValues).filter((value) => !known.includes(value));
  const types = [before, after].map(({ fieldType }) => String(fieldType));
  return [
    ...(types[0] === types[1] ? [] : [typeFinding(name, types as [string, string], environments)]),
    ...(missing.length === 0 ? [] : [optionsFinding(name, missing, known, environments)]),
  ];
}

const typeFinding = (
  name: string,
  [before, after]: readonly [string, string],
  { from, to }: LookupSides['environments'],
): Diagnostic => ({
  severity: 'warning',
  code: 'attribute-type',
  message: `The attribute "${name}" is of the type ${before} in environment "${from}" and of the type ${after} in "${to}".`,
});

function optionsFinding(
  name: string,
  missing: readonly string[],
  known: readonly string[],
  { from, to }: LookupSides['environments'],
): Diagnostic {
  const which = `${missing.length === 1 ? 'option' : 'options'} ${listed(missing)}`;
  const message = `The attribute "${name}" of environment "${to}" does not have the ${which} that it has in "${from}".`;
  const hint = `There it has ${known.length === 0 ? 'no options' : listed(known)}. Rows with ${missing.length === 1 ? 'that value' : 'those values'} would fail there.`;
  return { severity: 'warning', code: 'attribute-options', message, hint };
}

const listed = (values: readonly string[]): string => listFirst(values.map(quoted));

/** Operators that compare with whole values. */
const WHOLE: readonly unknown[] = ['IS_EQUAL_TO', 'IS_NOT_EQUAL_TO', 'IS_IN', 'IS_NOT_IN'];

/** Finds comparisons with values that are not options: they never hold. */
function valueFindings(
  { address, spec, origins }: Manifest,
  reference: Reference,
  { to, environments }: LookupSides,
): Diagnostic[] {
  const known = textsIn(factsOf(reference, to)?.possibleValues);
  const around = valueAt(spec, reference.pointer.replace(/\/[^/]*$/, ''));
  if (known.length === 0 || !isObject(around) || !WHOLE.includes(around.operator)) return [];
  const values = textsIn(Array.isArray(around.value) ? around.value : [around.value]);
  return values
    .filter((value) => !known.includes(value))
    .map((value) => {
      const message = `${address} compares the attribute "${reference.name}" with ${quoted(value)}, which is not among its options in environment "${environments.to}".`;
      const hint = nearestHint(value, known) ?? `Its options there are ${listed(known)}.`;
      const origin = origins.value(`/spec${reference.pointer}`);
      return { severity: 'error', code: 'attribute-value', message, hint, origin };
    });
}
