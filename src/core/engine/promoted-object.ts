import type { PromotionBase } from '../model/object-fact.js';
import type { FieldChange } from '../model/plan.js';

/** What a release asks of an object, beside what people changed on the target since the last one. */
export interface PromotedObject {
  /** What the ledger records once the object is as the release asks. */
  readonly base: PromotionBase;
  readonly kept: readonly FieldChange[];
  /** What both sides changed, as phrases; nothing is done about the object until a person decides. */
  readonly conflicts: readonly { readonly field?: string; readonly why: string }[];
  /** Somebody deleted it on the target, and the release did not change it. */
  readonly isDeleted?: true;
  /** Somebody decided that the whole object is as the release has it. */
  readonly isTaken?: boolean;
}
