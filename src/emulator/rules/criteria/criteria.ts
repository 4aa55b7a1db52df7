import type { PlacedItem } from '../../store/item-pages.js';
import { UNCATEGORIZED } from '../item-settings.js';
import { refuse, ServiceError } from '../service-error.js';
import { conditionsIn } from './candidates.js';
import { anyText, byApiName, type FieldsByName, itemFields, type Names } from './item-fields.js';
import { compileEquality, compileOperator } from './operators.js';

/** Whether an item meets the criteria. */
export type ItemTest = (item: PlacedItem) => boolean;

/** Attributes that the service knows, but that a workspace without revisions cannot compare (interface 4.6). */
const UNSEARCHABLE = new Set(['modifiedbom', 'modifiedspecs', 'modifiedfiles', 'modifiedsourcing', 'url', 'islocked']);

const CODES = { category: 3002, guidNotAlone: 3294 };

/**
 * Checks criteria and compiles them to a test: rows of conditions that must all hold, or single conditions, joined by
 * OR. The words AND and OR between the entries are optional (wire-facts 3, "criteria"; 5.1).
 */
export function compileCriteria(criteria: readonly unknown[], names: Names): ItemTest {
  const all = itemFields(names);
  const fields = byApiName([...all, anyText(all)]);
  const rows = entriesOf(criteria, 'OR', 'criteria').map((entry, index) => {
    const row = conditionsIn(entry);
    if (row === undefined) throw refuse.invalid(`criteria[${index}]`, 'it is not an array of conditions.');
    return entriesOf(row, 'AND', `criteria[${index}]`);
  });
  const conditions = rows.flat().map(attributeOf);
  if (conditions.length > 1 && conditions.some((attribute) => attribute.toLowerCase() === 'guid')) {
    throw new ServiceError({ code: CODES.guidNotAlone, message: 'A criterion by "guid" must stand alone.' });
  }
  const [byNumber, others] = mergeNumberRows(rows, fields);
  const tests = others.map((row) => row.map((condition) => compileCriterion(condition, fields, names)));
  return (item) => byNumber(item) || tests.some((row) => row.every((test) => test(item)));
}

/** Merges rows that name one number each into one lookup: a request for a list of items has thousands of them. */
function mergeNumberRows(
  rows: readonly (readonly unknown[])[],
  fields: FieldsByName,
): readonly [test: ItemTest, others: readonly (readonly unknown[])[]] {
  const values: unknown[] = [];
  const others = rows.filter((row) => {
    const { attribute, operator, value } = row[0] as Readonly<Record<string, unknown>>;
    const isNumber = row.length === 1 && String(attribute).toLowerCase() === 'number' && operator === 'IS_EQUAL_TO';
    if (isNumber) values.push(value);
    return !isNumber;
  });
  const field = fields.get('number');
  if (values.length === 0 || field === undefined) return [() => false, rows];
  const isOneOf = compileEquality('number', field.kind, values);
  return [(item) => isOneOf(field.read(item)), others];
}

/** Checks one condition `{attribute, operator, value}` and compiles it to a test. */
export function compileCondition(condition: unknown, fields: FieldsByName): ItemTest {
  const attribute = attributeOf(condition);
  const field = fields.get(attribute.toLowerCase());
  if (!field)
    throw UNSEARCHABLE.has(attribute.toLowerCase()) ? refuse.unsearchable(attribute) : refuse.unrecognized(attribute);
  const { operator, value } = condition as { readonly operator?: unknown; readonly value?: unknown };
  if (typeof operator !== 'string') throw refuse.required('operator');
  const holds = compileOperator(attribute, field.kind, operator, value);
  return (item) => holds(field.read(item));
}

/** Compiles a condition; refuses the GUID of the uncategorized category, which only its name finds (interface 4.6). */
function compileCriterion(condition: unknown, fields: FieldsByName, { categories }: Names): ItemTest {
  const { value } = condition as { readonly value?: unknown };
  if (attributeOf(condition).toLowerCase() === 'category.guid') {
    const named = [value].flat().map((guid) => categories.get(String(guid).toUpperCase())?.name);
    if (named.includes(UNCATEGORIZED)) {
      const message = `Use "category.name" IS_EQUAL_TO "${UNCATEGORIZED}" in place of that category's GUID.`;
      throw new ServiceError({ code: CODES.category, message });
    }
  }
  return compileCondition(condition, fields);
}

function attributeOf(condition: unknown): string {
  const isObject = condition !== null && typeof condition === 'object' && !Array.isArray(condition);
  if (!isObject) throw refuse.invalid('criteria', `${JSON.stringify(condition)} is not a condition.`);
  const { attribute } = condition as { readonly attribute?: unknown };
  if (typeof attribute !== 'string') throw refuse.required('attribute');
  return attribute;
}

/** Returns the entries of a list without the words between them. */
function entriesOf(list: readonly unknown[], word: 'AND' | 'OR', name: string): unknown[] {
  const entries = list.filter((entry) => typeof entry !== 'string');
  if (entries.length === 0) throw refuse.invalid(name, 'it is empty.');
  const joined = entries.flatMap((entry, index) => (index === 0 ? [entry] : [word, entry]));
  const fits = list.length === entries.length || list.every((entry, index) => entry === joined[index]);
  if (!fits || list.length > joined.length) throw refuse.invalid(name, `its entries are not joined by "${word}".`);
  return entries;
}
