import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { removeMarker } from '../preflight/row-fields.js';
import type { KeptRow, KeptValue } from './keyed-rows.js';
import type { Target } from './targets.js';
import { type CellReadingOptions, cellReadingOptions, normalValue, type ValueForm } from './value-form.js';

/** A cell with its values on both sides. */
export type CellChange = NonNullable<RowChange['cells']>[number];

/** Changes that a row would make to a record. */
export interface RowDifference {
  readonly cells: readonly CellChange[];
  /** Headers of the cells that the record does not show. */
  readonly unknown: readonly string[];
}

/** Fields of objects whose replacement the service chooses if a row removes them (wire-facts 4, "removeValue"). */
export const UNREMOVABLE = /^(category|lifecyclephase|owner)(\.|$)/;

/** Compares rows with records, read as the service reads them with a definition. */
export class RowReader {
  readonly #targets: readonly Target[];
  readonly #reading: CellReadingOptions;
  readonly #marker: string;
  readonly #recreatesLines: boolean;

  /** Rows have their cells at the positions of the targets. */
  constructor(targets: readonly Target[], definition: ImportDefinitionSpec) {
    this.#targets = targets;
    this.#reading = cellReadingOptions(definition);
    this.#marker = removeMarker(definition);
    this.#recreatesLines = recreatesLines(definition);
  }

  /**
   * Value that a cell asks for: empty removes, undefined leaves as it is, null leaves to the service (interface 2.1;
   * wire-facts 4, "removeValue").
   */
  after({ column, field }: Target, cells: readonly string[]): string | null | undefined {
    const text = cells[column] ?? '';
    const cell = this.#reading.whiteSpace === 'STRIP' ? text.trim() : text;
    if (cell === this.#marker) return UNREMOVABLE.test(field) ? null : '';
    if (cell !== '') return cell;
    return this.#recreatesLines && field !== 'quantity' ? '' : undefined;
  }

  difference(cells: readonly string[], { values }: KeptRow): RowDifference {
    const changes: CellChange[] = [];
    const unknown: string[] = [];
    for (const [index, target] of this.#targets.entries()) {
      const after = target.is === undefined ? this.after(target, cells) : undefined;
      if (after === undefined) continue;
      const value = values[index];
      if (after === null || value === null || value === undefined) unknown.push(target.header);
      else if (!this.isSame(value[0], after, this.#before(value)))
        changes.push({ column: target.header, before: this.#before(value), after });
    }
    return { cells: changes, unknown };
  }

  /** Values of a new record; `named`: its row has every key. */
  asked(cells: readonly string[], row: 'named' | 'without a key'): CellChange[] {
    return this.#targets.flatMap((target) => {
      const after = row === 'named' && target.is !== undefined ? '' : (this.after(target, cells) ?? '');
      return after === '' ? [] : [{ column: target.header, before: '', after }];
    });
  }

  /** Values that go away with a record. */
  had({ values }: KeptRow): CellChange[] {
    return this.#targets.flatMap(({ header: column }, index) => {
      const before = this.#before(values[index]);
      return before === '' ? [] : [{ column, before, after: '' }];
    });
  }

  /** Whether two texts mean the same value. */
  isSame(form: ValueForm, one: string, other: string): boolean {
    return this.normal(form, one) === this.normal(form, other);
  }

  /** Returns a text that all texts of the same value share. */
  normal(form: ValueForm, text: string): string {
    return normalValue(form, text, this.#reading);
  }

  #before(value: KeptValue | undefined): string {
    const text = value?.[1] ?? '';
    return text === this.#marker ? '' : text;
  }
}

/** REPLACE recreates the lines of a BOM, so an empty cell clears its field; files of an item stay (wire-facts 4). */
const recreatesLines = (definition: ImportDefinitionSpec): boolean =>
  hasMode(definition, 'REPLACE') && resourceNamed(definition.resource).isTree === true;
