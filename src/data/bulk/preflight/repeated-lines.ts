import { excerpt } from '#base/printable.js';
import { keysNeeded, resourceNamed } from '#core/model/import-resources.js';
import { isAddable, sumOf } from '../rows/decimal.js';
import { keyOf } from '../rows/key-index.js';
import { repetitionOf } from './key-checks.js';
import type { CheckedRow, PreflightRules, ReportFinding } from './row-check.js';
import { type RowFields, removeMarker } from './row-fields.js';

/** Finds the rows of a BOM that repeat a line, and merges them. */
export interface RepeatedLines {
  /** The data row to add this one to; undefined if it becomes data row `n`. `sourceRowOf`: for earlier data rows. */
  targetOf(row: CheckedRow, n: number, sourceRowOf: (n: number) => number | undefined): number | undefined;
  /** Adds the quantities and joins the designators; the rows agree in everything else. */
  merge(rows: readonly (readonly string[])[]): string[];
}

/** Reason why rows of an import cannot be added up, as the end of a sentence. */
export function repeatedProblem(fields: RowFields, { definition, rules }: PreflightRules): string | undefined {
  const { resource, mode } = definition;
  if (resourceNamed(resource).isTree === undefined) return `rows of ${resource} are not lines of a BOM`;
  if (mode === 'DELETE') return 'mode DELETE takes no quantities';
  if (fields.column('quantity') === undefined) return 'no column is mapped to "quantity"';
  return keysNeeded(rules, mode).some(
    (key) => fields.column(key) === undefined && fields.column(guidOf(key)) === undefined,
  )
    ? 'no column is mapped to the parent or the part'
    : undefined;
}

const guidOf = (key: string): string => key.replace(/number$/, 'guid');

/** `repeated: sum`: rows of one parent and part that differ only in quantity and designators are one BOM line. */
export function repeatedLines(fields: RowFields, given: PreflightRules, say: ReportFinding): RepeatedLines {
  const { definition, rules, keys: files } = given;
  const marker = removeMarker(definition);
  const quantity = fields.column('quantity')?.index ?? -1;
  const refDes = fields.column('refDes')?.index ?? -1;
  const header = fields.column('item.number')?.header ?? fields.column('item.guid')?.header ?? 'item.number';
  const repetition = repetitionOf(definition);
  const [byKey, byLine] = [files.newIndex(), files.newIndex()];
  const unsummable = new Set<number>();
  const refuse = (row: number, value: string, first: number | undefined, why: string): undefined => {
    if (repetition === undefined) return;
    const message = `"${excerpt(value)}" is already in row ${first}, and ${why}, so the two rows are not added up.`;
    const hint = 'Correct the cells, or keep one of the rows.';
    say({ severity: 'error', code: repetition.code, message, hint, row, column: header, value });
  };
  return {
    targetOf({ row, cells }, n, sourceRowOf) {
      const keys = rules.keys.map((key) => fields.identity(cells, key));
      if (keys.includes('')) return undefined;
      const texts = fields.texts(cells);
      const isSum = isAddable(texts[quantity] ?? '');
      const alike = texts.map((text, index) =>
        index === quantity || (index === refDes && text !== marker) ? '' : text,
      );
      const first = byKey.firstRow(keyOf(keys), n);
      const same = byLine.firstRow(keyOf(alike), n);
      if (first !== undefined && same !== undefined && isSum && !unsummable.has(same)) return same;
      if (!isSum) unsummable.add(n);
      if (first === undefined) return undefined;
      const isNumber = isSum && !unsummable.has(same ?? first);
      const why = isNumber
        ? 'they differ in more than quantity and reference designators'
        : 'one of their quantities is not a number above 0';
      return refuse(row, keys.join(' / '), sourceRowOf(first), why);
    },
    merge(rows) {
      const [merged = []] = rows.map((cells) => [...cells]);
      merged[quantity] = sumOf(rows.map((cells) => fields.texts(cells)[quantity] ?? ''));
      const designators = rows.map((cells) => (cells[refDes] ?? '').trim().replace(/^[\s,;]+|[\s,;]+$/g, ''));
      if (refDes >= 0 && merged[refDes]?.trim() !== marker)
        merged[refDes] = designators.filter((text) => text !== '').join(',');
      return merged;
    },
  };
}
