import type { Family } from './family.js';
import type { FieldFactory } from './field.js';
import { plainText } from './text-fields.js';
import { hidden } from './traits.js';

/** The record that another one belongs to and is deleted with. */
export const ownerField = ({ table }: Pick<Family, 'table'>): FieldFactory<string> =>
  hidden(plainText({ column: 'owner', declaration: `TEXT NOT NULL REFERENCES ${table} (guid) ON DELETE CASCADE` }));
