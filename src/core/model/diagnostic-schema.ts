import type { Diagnostic, Origin } from '#base/diagnostics.js';
import { countSchema, nameSchema, type Shape, Type } from './schema.js';

/** The schema of an origin. */
export const originSchema = Type.Unsafe<Origin>(
  Type.Object({
    file: Type.String(),
    line: countSchema(),
    column: countSchema(),
    layer: Type.String({ description: '`base`, or the overlay that it comes from.' }),
    filledBy: Type.Optional(Type.String({ description: 'The variable that its value comes from.' })),
    row: Type.Optional(Type.String({ description: 'The rows of a list, and the column, that it comes from.' })),
  }),
);

/** The schema of a diagnostic, as `--json` prints it. */
export const diagnosticSchema = Type.Unsafe<Diagnostic>(
  Type.Object(
    {
      severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
      code: nameSchema('Stable, in kebab case.'),
      message: Type.String(),
      hint: Type.Optional(Type.String({ description: 'What to do about it.' })),
      origin: Type.Optional(originSchema),
    },
    { description: 'A finding about configuration or manifests. Its file is relative to the working folder.' },
  ),
);

/** The schema of the `--json` output of a failed command that prints one document. */
export const errorDocumentSchema = Type.Object({
  error: Type.Object({
    code: nameSchema('Stable, in capitals.'),
    message: Type.String(),
    hint: Type.Optional(Type.String({ description: 'What to do about it.' })),
    exitCode: Type.Integer(),
  }),
  diagnostics: Type.Array(diagnosticSchema),
});

/** The `--json` output of a failed command that prints one document. */
export interface ErrorDocument extends Shape<typeof errorDocumentSchema> {}
