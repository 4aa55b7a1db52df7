import { diagnosticSchema } from '#core/model/diagnostic-schema.js';
import { countSchema, nameSchema, type Shape, Type } from '#core/model/schema.js';
import { foundInSourceSchema } from '#core/stream/import-event-schema.js';

/** The schema of the output of `validate --json`. */
export const validatedDocumentSchema = Type.Object({
  type: Type.Union([Type.Literal('valid'), Type.Literal('blocked')], {
    description: 'blocked: the manifests are valid, but an import cannot be sent.',
  }),
  manifests: countSchema(),
  files: countSchema(),
  blocked: Type.Array(Type.Object({ address: nameSchema(), message: Type.String() })),
  findings: Type.Array(Type.Object({ address: nameSchema('The import.'), ...foundInSourceSchema.properties })),
  diagnostics: Type.Array(diagnosticSchema),
});

/** The output of `validate --json` if no error ends it. */
export interface ValidatedDocument extends Shape<typeof validatedDocumentSchema> {}
