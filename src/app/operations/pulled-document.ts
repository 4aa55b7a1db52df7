import { diagnosticSchema } from '#core/model/diagnostic-schema.js';
import { countSchema, nameSchema, type Shape, Type } from '#core/model/schema.js';

const addresses = (description: string) => Type.Array(nameSchema(), { description });

/** The schema of the output of `pull --json`. */
export const pulledDocumentSchema = Type.Object({
  workspace: nameSchema(),
  environment: nameSchema(),
  files: Type.Array(
    Type.Object({
      file: nameSchema('Relative to the project, with `/`.'),
      change: Type.Union([Type.Literal('create'), Type.Literal('edit')]),
    }),
  ),
  written: Type.Boolean({ description: 'False: `--diff` only shows them.' }),
  added: addresses('Objects with a new manifest.'),
  edited: addresses('Objects whose manifest was edited.'),
  unchanged: addresses('Objects whose manifest describes them as they are.'),
  open: addresses(
    'Objects whose manifest differs and was not, or not wholly, edited; a diagnostic proposes the change.',
  ),
  unmanaged: Type.Array(
    Type.Object({
      address: nameSchema(),
      number: Type.Optional(
        Type.Number({
          description: 'The number that the service gave it; it differs between objects with the same name.',
        }),
      ),
      reason: Type.String(),
    }),
    { description: 'Objects that no manifest can describe.' },
  ),
  adopted: addresses('Objects that belong to this stack from now on.'),
  unlisted: Type.Array(nameSchema(), { description: 'Kinds that the service does not list.' }),
  requests: countSchema('Requests that were sent.'),
  diagnostics: Type.Array(diagnosticSchema, { description: 'What is left to decide, with a hint each.' }),
});

/** The output of `pull --json` if no error ends it. */
export interface PulledDocument extends Shape<typeof pulledDocumentSchema> {}
