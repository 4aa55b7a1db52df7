import type { ItemDraft, ItemName } from '../../store/item-draft.js';

/** The most numbers to cache before all are dropped. */
const MOST = 50_000;

/** Finds items by GUID and number, for imports that change no item, and caches numbers, which rows repeat. */
export class ItemsByName {
  readonly #items: ItemDraft;
  readonly #byNumber = new Map<string, readonly ItemName[]>();

  constructor(items: ItemDraft) {
    this.#items = items;
  }

  byNumber(number: string): readonly ItemName[] {
    const known = this.#byNumber.get(number);
    if (known) return known;
    if (this.#byNumber.size >= MOST) this.#byNumber.clear();
    const found = this.#items.namesByNumber(number);
    this.#byNumber.set(number, found);
    return found;
  }

  byGuid(guid: string): ItemName | undefined {
    return this.#items.nameByGuid(guid);
  }
}
