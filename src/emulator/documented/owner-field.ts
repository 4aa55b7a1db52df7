import type { Family } from '../family/family.js';
import type { FieldFactory } from '../family/field.js';
import { plainText } from '../family/text-fields.js';
import { hidden } from '../family/traits.js';

/** The record that another one belongs to and is deleted with. */
export const ownerField = ({ table }: Pick<Family, 'table'>): FieldFactory<string> =>
  hidden(plainText({ column: 'owner', declaration: `TEXT NOT NULL REFERENCES ${table} (guid) ON DELETE CASCADE` }));
