import type { SourceRow } from '../../sources/source.js';
import type { ImportOptions } from '../../store/imports.js';
import type { FieldValue } from '../../store/items.js';
import { refuse } from '../service-error.js';
import { type Columns, checkWidth } from './columns.js';
import type { Target } from './targets.js';
import { parseValue } from './values.js';

/** A row by target. An empty cell is not in `texts` or `removed`: it changes nothing (wire-facts 4, removeValue). */
export interface ImportRow {
  readonly number: number;
  readonly texts: ReadonlyMap<string, string>;
  /** Targets whose stored value the row removes. */
  readonly removed: ReadonlySet<string>;
  readonly targets: ReadonlyMap<string, Target>;
  /** The free-text part of a number, from its own column. */
  readonly freeText: string | undefined;
}

/** Reads the cells of a row: strips white space and finds the removal marker. */
export function readRow(source: SourceRow, columns: Columns, options: ImportOptions): ImportRow {
  checkWidth(source, columns);
  const texts = new Map<string, string>();
  const removed = new Set<string>();
  const targets = new Map<string, Target>();
  for (const { index, target } of columns.columns) {
    const text = cellAt(source, index, options);
    if (text === '') continue;
    if (target.readOnly) throw refuse.uneditable(target.label);
    targets.set(target.key, target);
    if (text === options.removeValue) removed.add(target.key);
    else texts.set(target.key, text);
  }
  const freeText = columns.freeText === undefined ? '' : cellAt(source, columns.freeText, options);
  return { number: source.number, texts, removed, targets, freeText: freeText === '' ? undefined : freeText };
}

function cellAt(source: SourceRow, index: number, { stripWhiteSpace }: ImportOptions): string {
  const text = source.cells[index] ?? '';
  return stripWhiteSpace === 'RETAIN' ? text : text.trim();
}

/** Parses the values of a row by the types of their targets; throws for the first invalid value. */
export function parseRowValues(row: ImportRow, options: ImportOptions): Map<string, FieldValue> {
  const values = new Map<string, FieldValue>();
  for (const [key, text] of row.texts) {
    const target = row.targets.get(key);
    if (target) values.set(key, parseValue(target, text, options));
  }
  return values;
}
