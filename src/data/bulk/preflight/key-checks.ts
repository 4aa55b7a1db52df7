import { excerpt } from '#base/printable.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { joinKey } from '../rows/key-index.js';
import { FREE_TEXT } from './columns.js';
import type { PreflightRules, ReportFinding, RowCheck } from './row-check.js';
import { guidFor, type RowFields, removeMarker } from './row-fields.js';

const isMapped = (key: string, { options }: ImportDefinitionSpec): boolean =>
  options?.mapping?.some(({ apiName }) => apiName?.toLowerCase() === key.toLowerCase()) === true;

/** A row without its key cannot be processed. A free-text number replaces the number of a new item. */
export function keyCheck(key: string, fields: RowFields, { definition }: PreflightRules, say: ReportFinding): RowCheck {
  const column = fields.column(key);
  const guidKey = guidFor(key);
  const guid = fields.column(guidKey);
  const freeText = key === 'number' ? fields.column(FREE_TEXT) : undefined;
  if (column === undefined && guid === undefined && freeText === undefined) {
    // The missing column was already reported.
    if (isMapped(key, definition) || isMapped(guidKey, definition)) return () => {};
    const message = `No column is mapped to "${key}", which identifies the records of ${definition.resource}.`;
    say({
      severity: 'error',
      code: 'key-unmapped',
      message,
      hint: `Map a column of the file to "${key}", or give its value under \`constants\`.`,
    });
    return () => {};
  }
  const header = (column ?? guid ?? freeText)?.header ?? key;
  return ({ row, cells }) => {
    const text = fields.text(cells, key);
    if (text !== '' && text !== removeMarker(definition)) return;
    if (fields.text(cells, guidKey) !== '' || (key === 'number' && fields.text(cells, FREE_TEXT) !== '')) return;
    const message = `The cell in column "${header}" is empty, but "${key}" identifies the record.`;
    say({
      severity: 'error',
      code: 'key-empty',
      message,
      hint: 'Fill the cell, or remove the row.',
      row,
      column: header,
      value: text,
    });
  };
}

/** Effect of two rows with one key, and advice. `unless equal`: rows with the same cells change nothing. */
interface Repetition {
  /** `key-overwritten`: the service accepts both, and values of one of them are lost. */
  readonly code: 'key-repeated' | 'key-overwritten';
  readonly effect: string;
  readonly hint: string;
  readonly is: 'wrong' | 'unless equal';
}

const KEEP_ONE = 'Keep one of the rows.';

/** A BOM repeats a part if each row is one place of the part. */
const WAYS_OUT =
  'Add `repeated: sum` to the import (`--repeated sum`) to add the quantities up, use a definition of mode CREATE with ' +
  '`createDuplicates: ALLOW` for a line each, or keep one of the rows.';

const refused = (effect: string): Repetition => ({ code: 'key-repeated', effect, hint: KEEP_ONE, is: 'wrong' });

const OVERWRITTEN: Repetition = {
  code: 'key-overwritten',
  effect: 'with other values, and the later row would overwrite what the earlier row wrote',
  hint: KEEP_ONE,
  is: 'unless equal',
};

const MERGED: Repetition = {
  code: 'key-overwritten',
  effect: 'both become one BOM line with the quantity of the later row',
  hint: WAYS_OUT,
  is: 'wrong',
};

/** Returns what the service does with two rows of one key; undefined if it accepts both. */
export function repetitionRule({ mode, options, resource }: ImportDefinitionSpec): Repetition | undefined {
  switch (mode) {
    case 'CREATE':
      return options?.createDuplicates === 'ALLOW'
        ? undefined
        : refused('the service refuses the second row as a duplicate (`createDuplicates` is ERROR)');
    case 'REPLACE':
      return refused('the service refuses the second row as a duplicate');
    case 'DELETE':
      return refused('the first row deletes the record before the second row is processed');
    case 'OVERWRITE':
      return resourceNamed(resource).isTree === undefined ? OVERWRITTEN : MERGED;
    default:
      return OVERWRITTEN;
  }
}

/** Finds rows with the same key. matchDuplicates and matchDuplicateParents are about records in the workspace. */
export function duplicateCheck(
  fields: RowFields,
  { definition, rules, keys: files, rowName }: PreflightRules,
  say: ReportFinding,
): RowCheck {
  const repetition = repetitionRule(definition);
  if (repetition === undefined || rules.keys.length === 0) return () => {};
  const { code, effect, is } = repetition;
  const isLine = rules.isTree === true && definition.mode !== 'DELETE';
  const hint = isLine && code === 'key-repeated' ? WAYS_OUT : repetition.hint;
  const index = files.newIndex();
  const rows = files.newIndex();
  const last = rules.keys.at(-1) ?? '';
  const header = fields.column(last)?.header ?? fields.column(guidFor(last))?.header ?? last;
  return ({ row, cells }) => {
    const keys = rules.keys.map((key) => fields.identity(cells, key));
    if (keys.includes('')) return;
    const first = index.firstRow(joinKey(keys), row);
    const isSame = is === 'unless equal' && rows.firstRow(joinKey(fields.texts(cells)), row) !== undefined;
    if (first === undefined || isSame) return;
    const value = keys.join(' / ');
    const message = `"${excerpt(value)}" is already in row ${rowName(first)}${is === 'wrong' ? ':' : ','} ${effect}.`;
    say({ severity: 'error', code, message, hint, row, column: header, value });
  };
}

/** Finds BOM lines whose parent is their own part. */
export function ownParentCheck(fields: RowFields, { definition }: PreflightRules, say: ReportFinding): RowCheck {
  if (resourceNamed(definition.resource).isTree === undefined) return () => {};
  const header = fields.column('item.number')?.header ?? fields.column('item.guid')?.header ?? 'item.number';
  return ({ row, cells }) => {
    const same = ['number', 'guid'].find(
      (key) => fields.text(cells, key) !== '' && fields.text(cells, key) === fields.text(cells, `item.${key}`),
    );
    if (same === undefined) return;
    const value = fields.text(cells, same);
    const message = `"${excerpt(value)}" is its own parent in this row.`;
    say({
      severity: 'error',
      code: 'own-parent',
      message,
      hint: 'Correct the row: an item cannot be in its own BOM.',
      row,
      column: header,
      value,
    });
  };
}
