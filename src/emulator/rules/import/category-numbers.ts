import { advanceSequence, findSequence, type NumberFormat, numberFormats } from '../../families/number-formats.js';
import { LONGEST, numberAt } from '../../families/number-reservations.js';
import type { Database } from '../../store/database.js';
import type { ItemDraft } from '../../store/item-draft.js';
import type { Statements } from '../../store/row-scope.js';
import { refusal } from '../service-error.js';

/**
 * Numbers the new items of a run by the formats of their categories (wire-facts 4, "useCategoryNumberFormat"). INFERRED:
 * the free text of a row fills the part of the format that takes one.
 */
export class CategoryNumbers {
  readonly #data: Statements;
  readonly #items: ItemDraft;
  /** The last value that each format's sequence has issued, by GUID. */
  readonly #taken = new Map<string, number>();

  constructor(data: Statements, items: ItemDraft) {
    this.#data = data;
    this.#items = items;
  }

  /** Returns the next free number of a category; refuses one that does not number its items. */
  next(category: string, freeText: string | undefined): string {
    const format = this.#formatOf(category, freeText);
    for (let position = this.#taken.get(format.guid) ?? format.taken; ; ) {
      position += 1;
      const number = numberAt(format, position);
      if (number.length > LONGEST) throw refusal(3015, `A number takes ${LONGEST} characters at most.`);
      this.#taken.set(format.guid, position);
      if (this.#isFree(number)) return number;
    }
  }

  /** Records which numbers were issued. Call it in the write transaction of a commit. */
  merge(database: Database): void {
    for (const [guid, taken] of this.#taken) advanceSequence(database, guid, taken);
  }

  #isFree(number: string): boolean {
    const reserved = this.#data.get('SELECT 1 FROM main.reserved_numbers WHERE value = ?', number);
    return reserved === undefined && this.#items.byNumber(number).length === 0;
  }

  #formatOf(category: string, freeText: string | undefined): NumberFormat {
    const { name, number_format: guid } =
      this.#data.get('SELECT * FROM main.categories WHERE guid = ?', category) ?? {};
    const row = this.#data.get(numberFormats.byGuid, guid ?? null);
    if (row === undefined) throw refusal(3214, `The category "${name}" has no number format.`);
    const format = numberFormats.read(row);
    if (!findSequence(format)) throw refusal(3207, `The category "${name}" does not number items automatically.`);
    const fields = format.fields.map((field) => {
      const value = field.type === 'FREE_TEXT' ? (freeText ?? field.value) : field.value;
      if (field.type === 'FREE_TEXT' && !value)
        throw refusal(3009, `The part "${field.name}" of the number is required.`);
      return { ...field, value };
    });
    return { ...format, fields };
  }
}
