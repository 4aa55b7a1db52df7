import type { ItemDraft, ItemName } from '../../store/item-draft.js';

/** Names that are remembered before all are forgotten. */
const MOST = 50_000;

/** Items by GUID and number, for imports that change no item: the same ones are named in row after row. */
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
