import { object } from '../model/fields.js';
import { Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** The settings of the BOM of an item, by its number. Each item has them; no list shows them. */
export const bomSettings = defineKind({
  name: 'BomSettings',
  summary: 'How the BOM of an item is edited, by the number of the item.',
  collection: 'bomSettings',
  schema: object({
    automaticallyGenerateLineNumbers: flag('Whether the service numbers the lines; it then keeps no numbers of yours.'),
    checkReferenceDesignators: flag('Whether the service compares reference designators with quantities.'),
  }),
  settingsOf: { nameIn: 'number', path: 'bom/settings' },
});
