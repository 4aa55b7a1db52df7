import { type Draft, withRemark, withSource } from './draft.js';
import { freeName, type KnownTable } from './known-table.js';

/** The units in the quantities of a list, if its cells have some. */
function unitsIn({ roles }: KnownTable) {
  const quantity = roles.get('quantity');
  const [unit] = [quantity?.numbers?.unit ?? []].flat();
  return quantity === undefined || unit === undefined ? undefined : { quantity, unit };
}

/** Takes the unit of items from their quantities, unless a column has it. */
export function withUnit(draft: Draft, table: KnownTable): Draft {
  const found = unitsIn(table);
  if (found === undefined || draft.mapping.has('uom')) return draft;
  const name = freeName(table.columns, 'Unit', 'Quantity Unit');
  const made = withSource(draft, { columns: { ...draft.source.columns, [name]: { unit: found.quantity.name } } });
  return { ...made, mapping: new Map([...draft.mapping, ['uom', name]]) };
}

/** Adds a remark about units in quantities: a quantity is only a number, and its unit belongs to the item. */
export function withUnits(draft: Draft, table: KnownTable): Draft {
  const found = unitsIn(table);
  if (found === undefined) return draft;
  const { quantity, unit } = found;
  return withRemark(
    draft,
    `Open: "${quantity.name}" has units, such as "${unit}". New parts get ${table.roles.has('uom') ? 'the unit of their own column' : 'them'} as uom, parts that exist keep theirs, and no quantity is converted: check that they agree.`,
  );
}
