import { family } from '../family/family.js';
import type { RecordOf, WriteRequest } from '../family/field.js';
import { json } from '../family/json-fields.js';
import { choice, serial } from '../family/plain-fields.js';
import { creationTime, creator } from '../family/stamp-fields.js';
import { name, optionalText } from '../family/text-fields.js';
import { limited } from '../family/traits.js';
import { nullable } from '../routes/schemas.js';
import { Type } from '../routes/type.js';
import { compileCriteria } from '../rules/criteria/criteria.js';
import { loadNames } from '../rules/criteria/item-fields.js';
import { completeExportOptions, type ExportOptions, type ExportOptionsBody } from '../rules/export-options.js';
import { refuse } from '../rules/service-error.js';

const anyText = Type.Optional(Type.String());

const options = json<ExportOptions, ExportOptionsBody>({
  answer: Type.Object({
    exportViews: Type.Array(Type.String()),
    bomLevels: Type.String(),
    fileContent: Type.Object({ item: Type.String(), supplierItem: Type.String() }),
    header: Type.String(),
    revisionStatus: Type.String(),
    format: Type.String(),
  }),
  given: Type.Optional(
    Type.Object(
      {
        exportViews: Type.Optional(Type.Array(Type.String())),
        bomLevels: anyText,
        fileContent: Type.Optional(
          Type.Object({ item: anyText, supplierItem: anyText }, { additionalProperties: false }),
        ),
        header: anyText,
        revisionStatus: anyText,
        format: anyText,
      },
      { additionalProperties: false },
    ),
  ),
  parse: (given = {}) => completeExportOptions(given),
});

/** Stored as the request gives them; null if every run brings its own. Invalid entries have their own error codes. */
const criteria = json<readonly unknown[] | null, unknown>({
  optional: true,
  answer: nullable(Type.Array(Type.Unknown())),
  given: Type.Optional(
    Type.Unsafe<unknown>({
      description:
        'Rows of conditions {"attribute", "operator", "value"}: all of a row must hold, and one of the rows. ' +
        'The words "AND" and "OR" may stand between the entries.',
    }),
  ),
  parse: (given = null, attribute) => {
    if (given === null || Array.isArray(given)) return given;
    throw refuse.invalid(attribute, 'it is neither null nor an array.');
  },
});

/** Lengths: wire-facts 5.1, "settings". */
const fields = {
  number: serial(),
  name: limited(100, name('TEXT NOT NULL')),
  description: limited(4000, optionalText()),
  world: choice(['ITEMS'], 'ITEMS'),
  options,
  criteria,
  creationDateTime: creationTime(),
  creator: creator(),
};

/** A stored export definition: its options are complete, its criteria are those of the request. */
export type ExportDefinition = RecordOf<typeof fields>;

/** Export definitions, which are never edited or deleted; names need not be unique (wire-facts 5.1). */
export const exportDefinitions = family({
  path: '/exports',
  one: 'an export definition',
  many: 'export definitions',
  table: 'export_definitions',
  capability: 'exportDefinitions',
  paged: true,
  numbered: true,
  fields,
  search: {
    name: 'text',
    number: 'number',
    description: 'text',
    'creator.guid': 'text',
    'creator.email': 'text',
    'creator.fullName': 'text',
  },
  check: withFittingCriteria,
});

function withFittingCriteria(definition: ExportDefinition, { workspace }: WriteRequest): ExportDefinition {
  if (definition.criteria !== null) compileCriteria(definition.criteria, loadNames(workspace.settings));
  return definition;
}
