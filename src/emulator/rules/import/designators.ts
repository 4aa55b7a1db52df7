import type { BomDraft } from '../../store/bom-draft.js';
import type { BomLineRecord } from '../../store/items.js';
import { ServiceError } from '../service-error.js';

const RANGE = /^([A-Za-z_]*)(\d+)-([A-Za-z_]*)(\d+)$/;

/** A longer range is treated as a typing error. */
const LONGEST_RANGE = 100_000;

const CODES = { taken: 3229, count: 3230, repeated: 3605, invalid: 3606 };

/** Splits a text such as `C1, R3-R5` at commas, semicolons and spaces into single designators, and expands ranges. */
export function expandDesignators(text: string): string[] {
  const designators = text.split(/[\s,;]+/).filter((part) => part !== '');
  return designators.flatMap((part) => expandRange(part));
}

function expandRange(part: string): string[] {
  const match = RANGE.exec(part);
  if (!match) return [part];
  const [, prefix = '', from = '', otherPrefix = '', to = ''] = match;
  const count = Number(to) - Number(from) + 1;
  if ((otherPrefix !== '' && otherPrefix !== prefix) || count < 1 || count > LONGEST_RANGE) {
    throw new ServiceError({ code: CODES.invalid, message: `"${part}" is not a range of reference designators.` });
  }
  return Array.from(
    { length: count },
    (_, step) => `${prefix}${String(Number(from) + step).padStart(from.length, '0')}`,
  );
}

/**
 * Checks the designators of lines (wire-facts 4, checkRefDes; codes: wire-facts 2.1): as many as the quantity, each
 * once in the BOM of a parent. Remembers the designators of the parents that it has seen.
 */
export class DesignatorCheck {
  readonly #draft: BomDraft;
  readonly #holders = new Map<string, Map<string, string>>();

  constructor(draft: BomDraft) {
    this.#draft = draft;
  }

  check({ guid, parent, quantity, refDes }: BomLineRecord): void {
    if (refDes === null) return;
    const designators = expandDesignators(refDes);
    if (designators.length !== quantity) {
      const message = `The quantity is ${quantity}, but there are ${designators.length} reference designators.`;
      throw new ServiceError({ code: CODES.count, message });
    }
    if (new Set(designators).size < designators.length) {
      throw new ServiceError({ code: CODES.repeated, message: `A designator appears twice in "${refDes}".` });
    }
    const holders = this.#holdersOf(parent);
    const taken = designators.find((designator) => (holders.get(designator) ?? guid) !== guid);
    if (taken !== undefined) {
      throw new ServiceError({ code: CODES.taken, message: `Another line of the BOM has the designator "${taken}".` });
    }
  }

  /** Records the designators of a line. Call it when a line is stored. */
  claim({ guid, parent, refDes }: BomLineRecord): void {
    if (refDes === null) return;
    const holders = this.#holdersOf(parent);
    for (const designator of safely(refDes)) holders.set(designator, guid);
  }

  /** Forgets a parent. Call it when its lines were changed, removed or not stored after all. */
  forget(parent: string): void {
    this.#holders.delete(parent);
  }

  #holdersOf(parent: string): Map<string, string> {
    const known = this.#holders.get(parent);
    if (known) return known;
    const lines = this.#draft.lines(parent);
    const holders = new Map(lines.flatMap(({ guid, refDes }) => safely(refDes ?? '').map((name) => [name, guid])));
    this.#holders.set(parent, holders);
    return holders;
  }
}

/** Expands designators; gives none for invalid ones, which lines that were stored unchecked may have. */
function safely(refDes: string): string[] {
  try {
    return expandDesignators(refDes);
  } catch {
    return [];
  }
}
