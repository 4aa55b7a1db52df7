import type { WorkspaceDifferences } from '#core/engine/compare.js';
import { addressSchema } from '#core/model/address-schema.js';
import { diagnosticSchema } from '#core/model/diagnostic-schema.js';
import { countSchema, nameSchema, type Shape, Type } from '#core/model/schema.js';
import { fieldChangeSchema } from '#core/model/write-schema.js';
import type { LiveSide } from '#project/live/live-side.js';

const sideSchema = Type.Object({ environment: nameSchema(), workspace: Type.String() });

const differenceSchema = Type.Object({
  address: addressSchema,
  what: Type.Union(
    [Type.Literal('only-from'), Type.Literal('only-to'), Type.Literal('different'), Type.Literal('unclear')],
    { description: 'unclear: it cannot be compared, and a finding says why.' },
  ),
  fields: Type.Array(fieldChangeSchema, {
    description:
      'What makes the object of `to` as that of `from` is: `before` is the value of `to`, `after` that of `from`.',
  }),
});

/** The schema of the output of `diff --json`. */
export const comparisonSchema = Type.Object({
  from: sideSchema,
  to: sideSchema,
  kinds: Type.Array(nameSchema(), { description: 'Kinds that were compared.' }),
  objects: Type.Array(differenceSchema, { description: 'Objects that are not the same in both, by address.' }),
  equal: countSchema('Objects that are the same in both.'),
  findings: Type.Array(diagnosticSchema, { description: 'What could not be compared, and why.' }),
  requests: countSchema(),
});

/** A comparison of two workspaces by the names of their objects. Contains no GUIDs. */
export interface Comparison extends Shape<typeof comparisonSchema> {}

/** One object of a comparison. */
export interface ComparedObject extends Shape<typeof differenceSchema> {}

/** Converts the result of comparing two workspaces to the document of `diff`. */
export function buildComparison(
  { from, to }: { readonly from: LiveSide; readonly to: LiveSide },
  kinds: readonly string[],
  { differences, equal, findings }: WorkspaceDifferences,
): Comparison {
  const unlisted = (kind: string): boolean => from.unlisted.has(kind) || to.unlisted.has(kind);
  return {
    from: { environment: from.environment, workspace: from.workspace },
    to: { environment: to.environment, workspace: to.workspace },
    kinds: kinds.filter((kind) => !unlisted(kind)),
    objects: differences.map((one) => ({ ...one, fields: [...one.fields] })),
    equal,
    findings: [...findings],
    requests: from.requests + to.requests,
  };
}
