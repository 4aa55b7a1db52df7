import { type Column, matchingShare } from './column.js';
import { bareHeader } from './column-names.js';
import type { Meaning, Role } from './meanings.js';
import { MAY_BE_NUMBER, SEVERAL_WORDS } from './role-by-name.js';
import { shopShare } from './shops.js';
import { areHouseCodes } from './unread-number.js';

/** Gives the column of one role another one. */
function move(found: Map<Meaning, Column>, from: Role, to: Role): void {
  const column = found.get(from);
  found.delete(from);
  if (column !== undefined) found.set(to, column);
}

/** Circuit editors put the value of a part into a column of comments, beside its designators. */
function takeComments(found: Map<Meaning, Column>): void {
  const comments = found.get('notes');
  if (comments === undefined || !found.has('refDes') || found.has('value')) return;
  if (!/^comments?$/.test(bareHeader(comments.header))) return;
  move(found, 'notes', 'value');
}

/** References beside makers' numbers are designators, though some lists number their items by them. */
function takeReferences(found: Map<Meaning, Column>): void {
  const number = found.get('number');
  if (number === undefined || found.has('refDes') || !found.has('mpn')) return;
  if (!number.areDesignators || !MAY_BE_NUMBER.test(bareHeader(number.header))) return;
  move(found, 'number', 'refDes');
}

/** In a list of bought parts, numbers that different parts share, or that many lack, are those of the suppliers. */
function takeShopNumbers(found: Map<Meaning, Column>, rows: number): void {
  const [number, supplier] = [found.get('number'), found.get('supplier')];
  const name = found.get('name') ?? found.get('description');
  if (number === undefined || supplier === undefined || found.has('supplierPartNumber') || name?.filled !== rows)
    return;
  const areShared = number.distinct < number.filled * 0.9 && name.distinct === rows && supplier.filled >= rows * 0.8;
  const areSome = number.filled < rows * 0.8 && supplier.filled >= number.filled * 0.9 && !found.has('manufacturer');
  if (!areShared && !areSome) return;
  move(found, 'number', 'supplierPartNumber');
}

/** Materials that are long numbers are those of an ERP system; the numbers beside them name the materials. */
function takeMaterialNumbers(found: Map<Meaning, Column>, rows: number, columns: readonly Column[]): void {
  const number = found.get('number');
  const material = columns.find(
    (column) =>
      /^material(?: ?(?:nr|no|num|number|nummer))?$/.test(bareHeader(column.header)) &&
      column.filled >= rows * 0.9 &&
      matchingShare(column, LONG_NUMBER) === 1,
  );
  if (material === undefined || material === number) return;
  if (number !== undefined && !found.has('name')) found.set('name', number);
  found.set('number', material);
}

const LONG_NUMBER = /^\d{6,18}$/;

/** A model beside its maker is the number of that maker's part. */
function takeModels(found: Map<Meaning, Column>, _: number, columns: readonly Column[]): void {
  if (!found.has('manufacturer') || found.has('mpn')) return;
  const taken = new Set(found.values());
  const model = columns.find(
    (column) =>
      !taken.has(column) && /^model(?:l|e|o)?(?: ?(?:no|nr|num|number|nummer|code))?$/.test(bareHeader(column.header)),
  );
  if (model !== undefined && model.distinct * 2 >= model.filled) found.set('mpn', model);
}

/** Of quantities for several lots, as shops quote them, the only one that is not 0. */
function takeOnlyQuantity(found: Map<Meaning, Column>, _: number, columns: readonly Column[]): void {
  const lots = columns.filter(({ header }) => /^(?:qty|quantity|menge) [1-9]$/.test(bareHeader(header)));
  const [only, ...others] = lots.filter(({ values }) => [...(values?.keys() ?? ['1'])].some((value) => value !== '0'));
  if (only !== undefined && others.length === 0 && !found.has('quantity')) found.set('quantity', only);
}

/** Types that nearly each row has another of describe the parts, or are the numbers of their makers. */
function takeTypes(found: Map<Meaning, Column>): void {
  const types = found.get('category');
  if (types === undefined || !/^(?:part )?t[iy]po?e?$/.test(bareHeader(types.header))) return;
  const role = found.has('manufacturer') && !found.has('mpn') && !found.has('number') ? 'mpn' : 'description';
  if (types.filled < 4 || types.distinct < types.filled * 0.8 || found.has(role)) return;
  move(found, 'category', role);
}

/** In some lists the vendor of a part is who makes it. */
function takeMakers(found: Map<Meaning, Column>): void {
  const vendor = found.get('supplier');
  if (vendor === undefined || found.has('manufacturer') || !vendor.areMakers || shopShare(vendor) > 0) return;
  move(found, 'supplier', 'manufacturer');
}

/** Values of several words name the parts, if nothing else does. */
function takeWordyValues(found: Map<Meaning, Column>): void {
  const value = found.get('value');
  if (
    value === undefined ||
    (['name', 'description', 'number', 'mpn', 'package'] as const).some((role) => found.has(role))
  )
    return;
  if (matchingShare(value, SEVERAL_WORDS) > 0.5) move(found, 'value', 'name');
}

/** A catalogue beside makers has their numbers. */
function takeCatalogue(found: Map<Meaning, Column>): void {
  const catalogue = found.get('supplier');
  if (catalogue === undefined || !/^catalog(?:ue)?$/.test(bareHeader(catalogue.header))) return;
  if (found.has('manufacturer') && !found.has('mpn')) move(found, 'supplier', 'mpn');
}

/** Corrections of roles by those of other columns. */
export const TOGETHER: readonly (readonly [
  Role,
  (found: Map<Meaning, Column>, rows: number, columns: readonly Column[]) => void,
])[] = [
  ['notes', takeComments],
  ['value', takeWordyValues],
  ['mpn', takeModels],
  ['quantity', takeOnlyQuantity],
  ['category', takeTypes],
  ['supplier', takeCatalogue],
  ['supplier', takeMakers],
  ['number', takeReferences],
  ['number', takeShopNumbers],
  ['number', takeMaterialNumbers],
];

/** Names that are codes number the items that a description names. */
export function takeHouseCodes(found: Map<Meaning, Column>): void {
  const name = found.get('name');
  if (name === undefined || found.has('number') || !found.has('description') || !areHouseCodes(name)) return;
  move(found, 'name', 'number');
}
