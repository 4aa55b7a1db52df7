import type { CheckedKindName } from '../../model/checked-kinds.js';
import { object, openEnum, serverDefault, set } from '../../model/fields.js';
import type { JsonObject } from '../../model/json.js';
import type { Kind } from '../../model/kind.js';
import { Type } from '../../model/schema.js';
import { checkKind } from './check-kind.js';

const flag = (description: string, value: boolean) =>
  Type.Optional(Type.Boolean({ description, ...serverDefault(value) }));

const schema = object({
  fieldType: Type.Optional(
    openEnum(
      [
        ...['SINGLE_LINE_TEXT', 'MULTI_LINE_TEXT', 'RICH_TEXT', 'BOOLEAN', 'DROP_DOWN', 'FIXED_DROP_DOWN', 'NUMBER'],
        ...['POSITIVE_DOUBLE', 'INTEGER', 'DATE', 'DATETIME', 'COST', 'OBJECT'],
      ],
      { description: 'The type of its values.' },
    ),
  ),
  description: Type.Optional(Type.String({ description: 'Free text.', ...serverDefault('') })),
  active: flag('Whether it can be used.', true),
  required: flag('Whether each object needs a value.', false),
  maxLength: Type.Optional(Type.Integer({ description: 'The most characters of a text.', minimum: 1 })),
  possibleValues: Type.Optional(set(Type.String(), { description: 'The values of a drop-down list.' })),
  multiSelect: flag('Whether several values of the list can be chosen.', false),
  maxSelections: Type.Optional(Type.Integer({ description: 'The most values that can be chosen.', minimum: 1 })),
  decimalPlaces: Type.Optional(Type.Integer({ description: 'The decimal places of a number.', minimum: 0 })),
  allowNegatives: flag('Whether a number can be negative.', false),
  maxValue: Type.Optional(Type.Number({ description: 'The largest number.' })),
  currency: Type.Optional(Type.String({ description: 'The currency of a cost.', minLength: 1 })),
});

/** Lists have fields of the service too; only custom attributes have names of their own (wire-facts 7). */
const customEntry = (body: JsonObject): JsonObject | undefined => (body.custom === true ? body : undefined);

const attributesOf = (name: CheckedKindName, of: string, collection: string): Kind =>
  checkKind({
    name,
    summary: `A custom attribute of ${of}, as the workspace must have it.`,
    ...{ collection, schema, entry: customEntry },
  });

/** The custom attributes of each world. Lists of files and quality processes show none (wire-facts 7). */
export const checkedAttributes: readonly Kind[] = [
  attributesOf('ItemAttribute', 'items', 'itemAttributes'),
  attributesOf('BomAttribute', 'BOM lines', 'bomAttributes'),
  attributesOf('ChangeAttribute', 'changes', 'changeAttributes'),
  attributesOf('RequestAttribute', 'requests', 'requestAttributes'),
  attributesOf('SupplierAttribute', 'suppliers', 'supplierAttributes'),
  attributesOf('SupplierItemAttribute', 'supplier items', 'supplierItemAttributes'),
  attributesOf('TicketAttribute', 'tickets', 'ticketAttributes'),
];
