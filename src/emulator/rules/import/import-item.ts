import type { FieldValue, ItemRecord } from '../../store/items.js';
import { isGuid } from '../guid-source.js';
import { refuse, ServiceError } from '../service-error.js';
import { duplicate, itemsNamed, noItem, type RowContext } from './import-context.js';
import { type ImportRow, parseRowValues } from './read-row.js';
import type { Target } from './targets.js';
import { requiredError } from './values.js';

const NOT_DELETABLE = 3016;

/** Applies one row of an ITEM_SPECS run to the draft, according to the definition's mode (wire-facts 4, "mode"). */
export function importItem(row: ImportRow, context: RowContext): void {
  const guid = row.texts.get('guid');
  const number = row.texts.get('number') ?? row.freeText;
  if (guid === undefined && number === undefined) throw refuse.required('number');
  const matches = context.mode === 'CREATE' ? [] : itemsNamed(context.items, guid, number);
  if (matches.length === 0) {
    if (context.mode !== 'CREATE' && context.mode !== 'OVERWRITE') throw noItem(number ?? '');
    createItem(row, number, context);
  } else {
    change(matches, row, context);
  }
}

function change(matches: readonly ItemRecord[], row: ImportRow, context: RowContext): void {
  if (matches.length > 1 && context.options.matchDuplicates !== 'APPLY_TO_ALL') {
    throw duplicate(`${matches.length} items have the number "${matches[0]?.number}", and matchDuplicates is ERROR.`);
  }
  for (const item of matches) {
    if (context.mode === 'DELETE') removeItem(item, context);
    else editItem(item, row, context);
  }
}

/** Creates the item of a row under the number that the row gives, if it gives one. */
export function createItem(row: ImportRow, number: string | undefined, context: RowContext): ItemRecord {
  if (row.texts.has('guid')) {
    throw new ServiceError({
      code: 3031,
      message: 'A new item gets its GUID from the service; the cell must be empty.',
    });
  }
  const values = parseRowValues(row, context.options);
  if (number !== undefined) values.set('number', values.get('number') ?? number);
  const missing = context.required.find((target) => target.category === null && !values.has(target.key));
  if (missing) throw requiredError(missing);
  if (
    number !== undefined &&
    context.options.createDuplicates !== 'ALLOW' &&
    context.items.byNumber(number).length > 0
  ) {
    throw duplicate(`An item with the number "${number}" exists already.`);
  }
  const { surroundings, chance, at, by } = context;
  const blank: ItemRecord = {
    guid: chance.guid(),
    number: '',
    name: '',
    description: null,
    category: surroundings.defaultCategory,
    phase: surroundings.defaultPhase,
    owner: by,
    fields: {},
    additional: {},
    created: at,
    creator: by,
    modified: null,
  };
  const named = withValues(blank, values, context);
  const isNumbered = number !== undefined && number === context.options.useCategoryNumberFormat;
  const item = isNumbered ? { ...named, number: context.numbers.next(named.category, row.freeText) } : named;
  refuseForeign(item, row, context);
  requireOwn(item, context);
  context.items.put(item);
  return item;
}

/** Changes an item as a row says. */
export function editItem(item: ItemRecord, row: ImportRow, context: RowContext): void {
  const values = parseRowValues(row, context.options);
  for (const key of row.removed) {
    const target = row.targets.get(key);
    if (target?.required) throw requiredError(target);
  }
  const renamed = values.get('number');
  if (typeof renamed === 'string' && renamed !== item.number && context.items.byNumber(renamed).length > 0) {
    throw duplicate(`An item with the number "${renamed}" exists already.`);
  }
  const changed = withValues(without(item, row.removed, context), values, context);
  refuseForeign(changed, row, context);
  if (changed.category !== item.category) requireOwn(changed, context);
  context.items.put({ ...changed, modified: context.at });
}

/** Refuses an attribute of a category on items that are not in or below it (wire-facts 7, "origin"). */
function refuseForeign({ category }: ItemRecord, row: ImportRow, context: RowContext): void {
  for (const key of row.texts.keys()) {
    const target = row.targets.get(key);
    if (target && !hasTarget(category, target, context)) throw refuse.unrecognized(target.label);
  }
}

/** Refuses an item that enters a category without an attribute that the category requires. */
function requireOwn({ category, additional }: ItemRecord, context: RowContext): void {
  const missing = context.required.find((target) => {
    return target.category !== null && additional[target.key] === undefined && hasTarget(category, target, context);
  });
  if (missing) throw requiredError(missing);
}

function hasTarget(category: string, target: Target, { surroundings }: RowContext): boolean {
  return target.category === null || surroundings.isWithin(category, target.category);
}

/** Deletes an item; refuses one that is in a BOM with 3016. */
export function removeItem(item: ItemRecord, context: RowContext): void {
  if (context.items.isUsed(item.guid)) {
    throw new ServiceError({
      code: NOT_DELETABLE,
      message: `The item "${item.number}" is in a BOM and cannot be deleted.`,
    });
  }
  context.items.remove(item);
}

function without(item: ItemRecord, removed: ReadonlySet<string>, { surroundings, by }: RowContext): ItemRecord {
  if (removed.size === 0) return item;
  const keep = ([key]: readonly [string, FieldValue]): boolean => !removed.has(key);
  const isRemoved = (object: string): boolean => [...removed].some((key) => key.startsWith(`${object}.`));
  return {
    ...item,
    description: removed.has('description') ? null : item.description,
    category: isRemoved('category') ? surroundings.defaultCategory : item.category,
    phase: isRemoved('lifecyclePhase') ? surroundings.defaultPhase : item.phase,
    owner: isRemoved('owner') ? by : item.owner,
    fields: Object.fromEntries(Object.entries(item.fields).filter(keep)),
    additional: Object.fromEntries(Object.entries(item.additional).filter(keep)),
  };
}

/** Fields with columns of their own, and references, whose columns have the GUID of another object. */
const PLAIN = new Set(['number', 'name', 'description']);
const REFERENCES = new Map([
  ['category', 'category'],
  ['lifecyclePhase', 'phase'],
  ['owner', 'owner'],
]);

function withValues(item: ItemRecord, values: ReadonlyMap<string, FieldValue>, context: RowContext): ItemRecord {
  const direct: Record<string, FieldValue> = {};
  const fields: Record<string, FieldValue> = { ...item.fields };
  const additional: Record<string, FieldValue> = { ...item.additional };
  for (const [key, value] of values) {
    const reference = REFERENCES.get(key.split('.', 1)[0] ?? '');
    if (reference !== undefined) direct[reference] = context.surroundings.resolve(key, String(value));
    else if (PLAIN.has(key)) direct[key] = value;
    else if (isGuid(key)) additional[key] = value;
    else if (key !== 'guid') fields[key] = value;
  }
  return { ...item, ...direct, fields, additional };
}
