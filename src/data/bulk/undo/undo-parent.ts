import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { recordFinder } from '../compare/find-records.js';
import type { KeptRow } from '../compare/keyed-rows.js';
import { RowReader } from '../compare/row-difference.js';
import { cellsIn } from '../compare/shared-cells.js';
import { listTargets, type Target } from '../compare/targets.js';
import { formOfField, type ValueForm } from '../compare/value-form.js';
import type { Column } from '../preflight/columns.js';
import { keepAsIs, NOTHING, namingCells, type UndoContext, type UndoResult, type UndoRow } from './undo-context.js';

/** The lines of one parent on the three sides. */
export interface ParentSides {
  readonly sent: readonly KeptRow[];
  readonly before: readonly KeptRow[];
  readonly present: readonly KeptRow[];
}

/** Undoes what an import in mode REPLACE did to one parent. */
export abstract class ParentUndoer {
  protected readonly targets: readonly Target[];
  protected readonly reader: RowReader;
  readonly #columns: readonly Column[];
  readonly #definition: ImportDefinitionSpec;

  constructor({ sent: { columns }, lost, definition }: Pick<UndoContext, 'sent' | 'lost' | 'definition'>) {
    this.targets = listTargets([...columns, ...lost], definition.resource);
    this.reader = new RowReader(this.targets, definition);
    this.#columns = columns;
    this.#definition = definition;
  }

  abstract undo(sides: ParentSides): UndoResult;

  /** Value that a sent row asks for; undefined if it asks for none. */
  protected asked(row: KeptRow, target: Target): string | undefined {
    if (target.column >= this.#columns.length) return undefined;
    return this.reader.after(target, cellsIn(row)) ?? undefined;
  }

  protected restoringRows(sides: ParentSides): UndoRow[] {
    return restoringRows(sides, this.#columns, this.#definition);
  }
}

/** Maximum number of names in a message. */
const NAMED = 3;

/** Restores a BOM as a whole, and only if it is as the import left it. */
export class BomUndoer extends ParentUndoer {
  undo(sides: ParentSides): UndoResult {
    const { sent, before, present } = sides;
    const shown = shownFields(this.targets, present);
    const asBefore = this.#lines(before, shown, (line, { target }) => cellsIn(line)[target.column] ?? '');
    if (differing(this.#lines(present, shown, valueNow), asBefore).length === 0) return NOTHING;
    const sure = shown.filter(({ target }) => !this.#isLeftToWorkspace(target, sent));
    const asSent = this.#lines(sent, sure, (line, { target }) => this.#askedOrDefault(line, target));
    const others = differing(this.#lines(present, sure, valueNow), asSent);
    if (others.length > 0) return keepAsIs(changedBom(others));
    return { rows: this.restoringRows(sides), left: [] };
  }

  #lines(lines: readonly KeptRow[], fields: readonly ShownField[], valueIn: FieldValue): Line[] {
    return lines.map((line) => {
      const values = fields.map((field) => this.reader.normal(field.form, valueIn(line, field)));
      return { line, text: JSON.stringify([line.key.slice(1), ...values]) };
    });
  }

  /** The workspace assigns line numbers itself where a row has none. */
  #isLeftToWorkspace(target: Target, sent: readonly KeptRow[]): boolean {
    return target.field === 'linenumber' && sent.some((line) => this.#askedOrDefault(line, target) === '');
  }

  #askedOrDefault(line: KeptRow, target: Target): string {
    return this.asked(line, target) ?? (target.field === 'quantity' ? '1' : '');
  }
}

/** A field that the workspace shows of all lines, and the form in which its values are compared. */
interface ShownField {
  readonly target: Target;
  /** Position among the values of a line. */
  readonly place: number;
  readonly form: ValueForm;
}

type FieldValue = (line: KeptRow, field: ShownField) => string;

const valueNow: FieldValue = ({ values }, { place }) => values[place]?.[1] ?? '';

function shownFields(targets: readonly Target[], present: readonly KeptRow[]): ShownField[] {
  return targets.flatMap((target, place) => {
    const values = present.map((line) => line.values[place]);
    if (values.includes(null)) return [];
    const form = values.find((value) => value !== undefined)?.[0] ?? formOfField(target.field);
    return [{ target, place, form }];
  });
}

interface Line {
  readonly line: KeptRow;
  readonly text: string;
}

/** Children of the lines that only one of the two sides has. */
function differing(present: readonly Line[], sent: readonly Line[]): string[] {
  const counts = new Map<string, number>();
  for (const { text } of sent) counts.set(text, (counts.get(text) ?? 0) + 1);
  const more = present.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
  const fewer = sent.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count > 0;
  });
  return [...new Set([...more, ...fewer].map(({ line }) => line.key[1] ?? ''))];
}

const changedBom = (children: readonly string[]): string =>
  `The BOM is not as the import left it (${listFirst(children)}), so all of it stays as it is.`;

/** Lists the first of several names, and the number of others. */
export function listFirst(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${names.slice(0, NAMED).join(', ')}${more}`;
}

/** Rows that restore a parent: they replace it as a whole, or delete its lines if it had none. */
function restoringRows(
  { sent, before, present }: ParentSides,
  columns: readonly Column[],
  definition: ImportDefinitionSpec,
): UndoRow[] {
  if (before.length > 0) return before.map((line) => ({ kind: 'replace', cells: cellsIn(line) }));
  const resource = resourceNamed(definition.resource);
  const { identity } = recordFinder(columns, definition);
  const guid = sent.map((line) => identity(cellsIn(line)).guid)[0] ?? '';
  return present.flatMap(({ key }) => {
    const cells = namingCells({ key, guid }, columns, resource);
    return cells === undefined ? [] : [{ kind: 'delete', cells }];
  });
}
