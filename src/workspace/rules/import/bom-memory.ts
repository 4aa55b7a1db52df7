import type { BomDraft } from '../../store/bom-draft.js';
import type { BomLineRecord } from '../../store/items.js';
import { DesignatorCheck } from './designators.js';

/** What the rows of an ITEM_BOM run remember beside the draft, and forget again when a row fails. */
export class BomMemory {
  readonly designators: DesignatorCheck;
  readonly #draft: BomDraft;
  readonly #emptied = new Set<string>();
  #emptiedByRow: string[] = [];
  #changedByRow: string[] = [];

  constructor(draft: BomDraft) {
    this.#draft = draft;
    this.designators = new DesignatorCheck(draft);
  }

  startRow(): void {
    this.#emptiedByRow = [];
    this.#changedByRow = [];
  }

  undoRow(): void {
    for (const parent of this.#emptiedByRow) this.#emptied.delete(parent);
    for (const parent of [...this.#emptiedByRow, ...this.#changedByRow]) this.designators.forget(parent);
  }

  /** Takes the lines of a parent away when its first row comes (mode REPLACE). */
  emptyOnce(parent: string): void {
    if (this.#emptied.has(parent)) return;
    for (const line of this.#draft.lines(parent)) this.#draft.remove(line);
    this.designators.forget(parent);
    this.#emptied.add(parent);
    this.#emptiedByRow.push(parent);
  }

  add(line: BomLineRecord): void {
    this.#draft.put(line);
    this.designators.claim(line);
    this.#changedByRow.push(line.parent);
  }

  change(line: BomLineRecord): void {
    this.#draft.put(line);
    this.#forget(line.parent);
  }

  remove(line: BomLineRecord): void {
    this.#draft.remove(line);
    this.#forget(line.parent);
  }

  #forget(parent: string): void {
    this.designators.forget(parent);
    this.#changedByRow.push(parent);
  }
}
