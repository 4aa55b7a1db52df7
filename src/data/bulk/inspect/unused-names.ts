import type { ChosenKey } from './choose-key.js';
import { type Column, matchingShare } from './column.js';
import { columnOption, type Draft, withRemark } from './draft.js';
import { otherNumber, supplierNumber } from './draft-sources.js';
import type { KnownTable } from './known-table.js';

/** Says that makers give no sources, since the only numbers are those of the items, and that suppliers give none without numbers. */
export function withUnusedNames(given: Draft, table: KnownTable, key: ChosenKey): Draft {
  const [maker, number] = [table.roles.get('manufacturer'), table.roles.get('number')];
  const supplier = table.roles.has('supplierPartNumber') ? undefined : table.roles.get('supplier');
  const mayName = supplier !== undefined && matchingShare(supplier, /\d{3}/) < 0.5;
  const isUnused = mayName && supplierNumber(table, key) === undefined;
  const draft = isUnused ? withRemark(given, unusedText(supplier)) : given;
  if (maker === undefined || number === undefined || table.roles.has('mpn') || otherNumber(table, key) !== undefined)
    return draft;
  const option = columnOption(number.name, 'mpn');
  return withRemark(
    draft,
    `Open: the makers in "${maker.name}" give no sources, since "${number.name}" numbers the items. If it has the numbers of the makers, inspect the file again with \`${option}\`.`,
  );
}

const unusedText = ({ name }: Column): string =>
  `Open: the suppliers in "${name}" give no sources, since no column has their numbers. If they sell the parts by the numbers or names that the items get, inspect the file again with \`${columnOption(name, 'supplier')}\`.`;
