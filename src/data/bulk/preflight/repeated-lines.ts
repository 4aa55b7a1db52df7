import { excerpt } from '#base/printable.js';
import { keysNeeded, resourceNamed } from '#core/model/import-resources.js';
import { addDecimals, isAddable } from '../rows/decimal.js';
import { joinKey, type KeyIndex } from '../rows/key-index.js';
import { repetitionRule } from './key-checks.js';
import type { CheckedRow, PreflightRules, ReportFinding } from './row-check.js';
import { guidFor, type RowFields, removeMarker } from './row-fields.js';

/** Reason why rows of an import cannot be added up, as the end of a sentence. */
export function repeatedProblem(fields: RowFields, { definition, rules }: PreflightRules): string | undefined {
  const { resource, mode } = definition;
  if (resourceNamed(resource).isTree === undefined) return `rows of ${resource} are not lines of a BOM`;
  if (mode === 'DELETE') return 'mode DELETE takes no quantities';
  if (fields.column('quantity') === undefined) return 'no column is mapped to "quantity"';
  return keysNeeded(rules, mode).some(
    (key) => fields.column(key) === undefined && fields.column(guidFor(key)) === undefined,
  )
    ? 'no column is mapped to the parent or the part'
    : undefined;
}

/**
 * `repeated: sum`: rows of one parent and part that differ only in quantity and designators are one BOM line. `once`:
 * of those that do not differ at all, one counts.
 */
export class RepeatedLines {
  readonly #fields: RowFields;
  readonly #given: PreflightRules;
  readonly #say: ReportFinding;
  readonly #marker: string;
  readonly #quantity: number;
  readonly #refDes: number;
  readonly #byKey: KeyIndex;
  readonly #byLine: KeyIndex;
  /** Data rows whose quantity is not a number. */
  readonly #unsummable = new Set<number>();

  constructor(fields: RowFields, given: PreflightRules, say: ReportFinding) {
    this.#fields = fields;
    this.#given = given;
    this.#say = say;
    this.#marker = removeMarker(given.definition);
    this.#quantity = fields.column('quantity')?.index ?? -1;
    this.#refDes = fields.column('refDes')?.index ?? -1;
    this.#byKey = given.keys.newIndex();
    this.#byLine = given.keys.newIndex();
  }

  /** The data row to add this one to; undefined if it becomes data row `n`. `sourceRowOf`: for earlier data rows. */
  targetOf({ row, cells }: CheckedRow, n: number, sourceRowOf: (n: number) => number | undefined): number | undefined {
    const keys = this.#given.rules.keys.map((key) => this.#fields.identity(cells, key));
    if (keys.includes('')) return undefined;
    const texts = this.#fields.texts(cells);
    const first = this.#byKey.firstRow(joinKey(keys), n);
    const same = this.#byLine.firstRow(joinKey(this.#withoutSummed(texts)), n);
    const isSum = isAddable(texts[this.#quantity] ?? '');
    if (first !== undefined && same !== undefined && isSum && !this.#unsummable.has(same)) return same;
    if (!isSum) this.#unsummable.add(n);
    if (first === undefined) return undefined;
    const isNumber = isSum && !this.#unsummable.has(same ?? first);
    this.#refuse(row, keys.join(' / '), sourceRowOf(first), isNumber ? OTHERWISE_DIFFERENT : NO_QUANTITY);
    return undefined;
  }

  /** Adds the quantities and joins the designators; the rows agree in everything else. */
  merge(all: readonly (readonly string[])[]): string[] {
    const rows = this.#given.repeated === 'once' ? this.#unlike(all) : all;
    const merged = [...(rows[0] ?? [])];
    merged[this.#quantity] = addDecimals(rows.map((cells) => this.#fields.texts(cells)[this.#quantity] ?? ''));
    if (this.#refDes >= 0 && merged[this.#refDes]?.trim() !== this.#marker)
      merged[this.#refDes] = joinDesignators(rows.map((cells) => cells[this.#refDes] ?? ''));
    return merged;
  }

  #unlike(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
    const byTexts = new Map(rows.toReversed().map((cells) => [joinKey(this.#fields.texts(cells)), cells]));
    return rows.filter((cells) => byTexts.get(joinKey(this.#fields.texts(cells))) === cells);
  }

  /** The texts in which rows of one line agree. */
  #withoutSummed(texts: readonly string[]): string[] {
    const isSummed = (text: string, index: number): boolean =>
      index === this.#quantity || (index === this.#refDes && text !== this.#marker);
    return texts.map((text, index) => (isSummed(text, index) ? '' : text));
  }

  #refuse(row: number, value: string, first: number | undefined, why: string): void {
    const repetition = repetitionRule(this.#given.definition);
    if (repetition === undefined) return;
    const message = `"${excerpt(value)}" is already in row ${this.#given.rowName(first)}, and ${why}, so the two rows are not added up.`;
    const hint = 'Correct the cells, or keep one of the rows.';
    const column = (this.#fields.column('item.number') ?? this.#fields.column('item.guid'))?.header ?? 'item.number';
    this.#say({ severity: 'error', code: repetition.code, message, hint, row, column, value });
  }
}

const OTHERWISE_DIFFERENT = 'they differ in more than quantity and reference designators';
const NO_QUANTITY = 'one of their quantities is not a number above 0';

const joinDesignators = (cells: readonly string[]): string =>
  cells
    .map((cell) => cell.trim().replace(/^[\s,;]+|[\s,;]+$/g, ''))
    .filter((text) => text !== '')
    .join(',');
