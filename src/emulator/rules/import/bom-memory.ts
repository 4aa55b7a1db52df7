import type { BomDraft } from '../../store/bom-draft.js';
import type { ItemDraft, ItemName } from '../../store/item-draft.js';
import type { BomLineRecord } from '../../store/items.js';
import { DesignatorCheck } from './designators.js';
import { ItemsByName } from './items-by-name.js';

/** The state that the rows of an ITEM_BOM run keep besides the draft, and that is undone when a row fails. */
export class BomMemory {
  readonly designators: DesignatorCheck;
  readonly items: ItemsByName;
  readonly #draft: BomDraft;
  readonly #emptied = new Set<string>();
  /** Parents that rows of this run added lines to, and their pairs with a child; those of failed rows too. */
  readonly #parents = new Set<string>();
  readonly #pairs = new Set<string>();
  #emptiedByRow: string[] = [];
  #changedByRow: string[] = [];

  constructor(draft: BomDraft, items: ItemDraft) {
    this.#draft = draft;
    this.items = new ItemsByName(items);
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

  /** Finds the lines of a parent with a child; asks the draft only if there can be any. */
  linesOf(parent: ItemName, child: ItemName): BomLineRecord[] {
    if (!parent.isAssembly && !this.#pairs.has(pairOf(parent.guid, child.guid))) return [];
    return this.#draft.linesOf(parent.guid, child.guid);
  }

  /** Whether a line with this child would make the parent a part of itself. */
  closesCircle(parent: ItemName, child: ItemName): boolean {
    if (parent.guid === child.guid) return true;
    const isLeaf = !child.isAssembly && !this.#parents.has(child.guid);
    return !isLeaf && this.#draft.reaches(child.guid, parent.guid);
  }

  /** Removes the lines of a parent at its first row (mode REPLACE). */
  emptyOnce(parent: string): void {
    if (this.#emptied.has(parent)) return;
    for (const line of this.#draft.lines(parent)) this.#draft.remove(line);
    this.designators.forget(parent);
    this.#emptied.add(parent);
    this.#emptiedByRow.push(parent);
  }

  add(line: BomLineRecord): void {
    this.#parents.add(line.parent);
    this.#pairs.add(pairOf(line.parent, line.child));
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

const pairOf = (parent: string, child: string): string => parent + child;
